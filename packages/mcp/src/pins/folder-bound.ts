import { statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

/** Programs that run what they find where they are started, unless they are given a place of its own. */
const RUNNERS =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|java|dotnet|sh|bash|zsh|fish|env|npm|pnpm|yarn|uv|poetry|pipenv|hatch|make|just|task|cargo|go|mix|gradle|mvn)$/
/** Programs that fetch a package by its name. */
const PACKAGE_RUNNERS = /^(?:npx|pnpx|bunx|uvx|pipx|docker|podman|nerdctl)$/
/** The same by the first word behind them: `npm exec`, `pnpm dlx`, `uv tool run`. */
const PACKAGE_VERBS = /^(?:exec|x|dlx|tool)$/
const DENO_PACKAGE = /^(?:npm|jsr|https):/
/** Options that name the folder a runner goes by. */
const FOLDER_OPTION = /^(?:--(?:directory|project|prefix|cwd|dir|manifest-path)|-C)$/
const MOST_FOLDERS = 64

/**
 * Whether a command starts another program in another folder: a word is a file there, or a runner is told of no other
 * place. A program that is found by its name alone is one that is installed.
 */
export function isFolderBound(command: readonly string[], cwd: string): boolean {
  const [program = '', ...rest] = command
  if (command.some((word) => isRelativeFile(word, cwd))) return true
  if (program.includes('/') && !isAbsolute(program)) return true
  const name = basename(program)
  if (isPackage(name, rest)) return rest.some((word) => isLocalProgram(word, cwd))
  return RUNNERS.test(name) && !hasOwnPlace(rest)
}

/** SECURITY: A20 by where a word stands: what a server is given as an argument says nothing of which program it is. */
function isPackage(name: string, rest: readonly string[]): boolean {
  if (PACKAGE_RUNNERS.test(name)) return true
  const [first = '', second = ''] = plainWords(rest)
  if (name === 'deno') return DENO_PACKAGE.test(first === 'run' ? second : first)
  return RUNNERS.test(name) && PACKAGE_VERBS.test(first)
}

/** Whether a runner is told of a place that is the same in every folder: its script, or the folder it goes by. */
function hasOwnPlace(rest: readonly string[]): boolean {
  const [first = '', second = ''] = plainWords(rest)
  if (isAbsolute(first === 'run' ? second : first)) return true
  return rest.some((word, at) => {
    const [option = '', value = rest[at + 1] ?? ''] = word.split('=', 2)
    return FOLDER_OPTION.test(option) && isAbsolute(value)
  })
}

function plainWords(rest: readonly string[]): readonly string[] {
  return rest.filter((word) => !word.startsWith('-'))
}

function isRelativeFile(word: string, cwd: string): boolean {
  const path = pathIn(word)
  return path !== '' && path.length < 4096 && !isAbsolute(path) && !path.includes('\0') && isFile(resolve(cwd, path))
}

/** `npx name` runs what the folder itself has under that name. */
function isLocalProgram(word: string, cwd: string): boolean {
  const name = basename(word).replace(/(?<=.)@.*$/, '')
  if (name === '' || name.startsWith('-') || name.length > 256 || name.includes('\0')) return false
  let folder = cwd
  for (let at = 0; at < MOST_FOLDERS; at++) {
    if (isFile(join(folder, 'node_modules', '.bin', name))) return true
    const above = dirname(folder)
    if (above === folder) return false
    folder = above
  }
  return true
}

/** `--import=./hook.mjs` names a file as well. */
function pathIn(word: string): string {
  return word.startsWith('-') ? word.slice(word.indexOf('=') + 1 || word.length) : word
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false // a part of it is no folder, or not ours to look into
  }
}
