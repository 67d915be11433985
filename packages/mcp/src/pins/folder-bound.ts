import { lstatSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { commandWithin } from './command-within.ts'

/** Programs that run what they find where they are started, unless they are given a place of its own. */
const RUNNERS =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua|luajit|Rscript|julia|elixir|swift|java|dotnet|sh|bash|dash|ash|ksh|zsh|fish|csh|tcsh|nu|pwsh|npm|pnpm|yarn|uv|poetry|pipenv|hatch|pdm|rye|conda|mamba|make|just|task|cargo|go|mix|gradle|mvn|nix|devbox|direnv|mise|docker|podman|nerdctl)$/
/** Programs that fetch a package by its name. */
const PACKAGE_RUNNERS = /^(?:npx|pnpx|bunx|uvx|pipx|docker|podman|nerdctl)$/
/** The same by the first word behind them: `npm exec`, `pnpm dlx`, `uv tool run`. */
const PACKAGE_VERBS = /^(?:exec|x|dlx|tool)$/
const DENO_PACKAGE = /^(?:npm|jsr|https):/
/** Options that name the folder a runner goes by. */
const FOLDER_OPTION = /^(?:--(?:directory|project|prefix|cwd|dir|manifest-path|file)|-C|-f)$/
/** Options of package runners with a word of their own, which may name what is run. */
const PACKAGE_OPTION =
  /^(?:--(?:package|from|with|with-editable|with-requirements|spec|editable|call|prefix|project|directory|python|index|index-url|extra-index-url|registry|cache|userconfig|workspace|config-file|env-file|constraints|overrides|pip-args)|-[pcwe])$/
const MOST_FOLDERS = 64

/**
 * Whether a command starts another program in another folder: a word is a file there, or a runner is told of no other
 * place. A program that is found by its name alone is one that is installed. SECURITY: A20 in doubt it is bound.
 */
export function isFolderBound(command: readonly string[], cwd: string): boolean {
  if (command.some((word) => isRelativeFile(word, cwd))) return true
  const inner = commandWithin(command)
  if (inner === 'unclear') return true
  if (inner !== null) return isFolderBound(inner, cwd)
  const [program = '', ...rest] = command
  if (program.includes('/') && !isAbsolute(program)) return true
  const name = basename(program)
  if (isPackage(name, rest)) return isOwnPackage(rest, cwd)
  return RUNNERS.test(name) && !hasOwnPlace(rest)
}

/** SECURITY: A20 by where a word stands: what a server is given as an argument says nothing of which program it is. */
function isPackage(name: string, rest: readonly string[]): boolean {
  const [first = '', second = ''] = plainWords(rest)
  if (PACKAGE_RUNNERS.test(name)) return first !== 'compose'
  if (name === 'deno') return DENO_PACKAGE.test(first === 'run' ? second : first)
  return RUNNERS.test(name) && PACKAGE_VERBS.test(first)
}

/** Whether the package is one of the folder: named by its place (`--from .`, `./pkg`), or found there by its name. */
function isOwnPackage(rest: readonly string[], cwd: string): boolean {
  if (rest.some((word) => isLocalProgram(word, cwd))) return true
  let isNamed = false
  for (const [at, word] of rest.entries()) {
    const [option = '', value] = word.split(/=(.*)/s)
    if (PACKAGE_OPTION.test(option) && isRelativePlace(value ?? rest[at + 1] ?? '', cwd)) return true
    if (word.startsWith('-') || PACKAGE_OPTION.test(rest[at - 1] ?? '')) continue
    if (PACKAGE_VERBS.test(word) || word === 'run') continue
    if (!isNamed && isRelativePlace(word, cwd)) return true
    isNamed = true
  }
  return false
}

/** A folder or an archive, in the words of package runners, that is another one elsewhere. */
function isRelativePlace(word: string, cwd: string): boolean {
  const place = word.replace(/^(?:file|link|workspace|git\+file):(?:\/\/)?/, '')
  if (place === '' || isAbsolute(place) || place.startsWith('~')) return false
  return place !== word || /^\.{1,2}(?:$|[/[@])/.test(place) || /\s/.test(place) || isThere(resolve(cwd, place))
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

function isThere(path: string): boolean {
  if (path.length >= 4096 || path.includes('\0')) return false
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
