import { lstatSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { hasOwnPlace, isRunner } from './script-runners.ts'
import { commandWithin } from './wrapper-commands.ts'

/** Programs that fetch a package by its name. */
const PACKAGE_RUNNERS = /^(?:npx|pnpx|bunx|uvx|pipx|docker|podman|nerdctl)$/
/** The same with their first word. `pnpm exec` and `yarn exec` are none: they run what the folder has. */
const PACKAGE_VERBS: ReadonlyMap<string, RegExp> = new Map([
  ['npm', /^(?:exec|x)$/],
  ['pnpm', /^dlx$/],
  ['yarn', /^dlx$/],
  ['bun', /^x$/],
  ['uv', /^tool$/],
])
const DENO_PACKAGE = /^(?:npm|jsr|https):/
const CONTAINERS = /^(?:docker|podman|nerdctl)$/
/** Options that name what a package runner runs. */
const PACKAGE_OPTION = /^--(?:package|from|with|with-editable|with-requirements|spec|editable|call)$/
/** More of its options with a word, which may do so; behind the package they are the server's own. */
const EARLY_OPTION =
  /^(?:--(?:prefix|project|directory|python|index|index-url|extra-index-url|registry|cache|userconfig|workspace|config-file|env-file|constraints|overrides|pip-args)|-[pcwe])$/
/** A folder that a container is given, by a relative path. */
const MOUNT = /(?:^|[=,])\.{1,2}(?:$|[/:,])/
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
  const started = rest.slice(rest.indexOf('--') + 1)
  const isHandedOn = rest.includes('--') && isRunner(basename(started[0] ?? ''))
  if (isPackage(name, rest)) {
    if (CONTAINERS.test(name)) return rest.some((word) => MOUNT.test(word))
    return isOwnPackage(rest, cwd) || (isHandedOn && isFolderBound(started, cwd))
  }
  if (isRunner(name)) return !hasOwnPlace(name, rest, (inner) => !isFolderBound(inner, cwd))
  return isHandedOn && isFolderBound(started, cwd)
}

/** SECURITY: A20 by where a word stands: what a server is given as an argument says nothing of which program it is. */
function isPackage(name: string, rest: readonly string[]): boolean {
  const [first = '', second = ''] = rest.filter((word) => !word.startsWith('-'))
  if (PACKAGE_RUNNERS.test(name)) return !rest.includes('compose')
  if (name === 'deno') return DENO_PACKAGE.test(first === 'run' ? second : first)
  return PACKAGE_VERBS.get(name)?.test(first) === true
}

/** Whether the package is one of the folder: named by its place (`--from .`, `./pkg`), or found there by its name. */
function isOwnPackage(rest: readonly string[], cwd: string): boolean {
  if (rest.some((word) => isLocalProgram(word, cwd))) return true
  let isNamed = false
  for (const [at, word] of rest.entries()) {
    const [option = '', value] = word.split(/=(.*)/s)
    const takes = (one: string): boolean => PACKAGE_OPTION.test(one) || (!isNamed && EARLY_OPTION.test(one))
    if (takes(option) && isRelativePlace(value ?? rest[at + 1] ?? '', cwd)) return true
    if (word.startsWith('-') || takes(rest[at - 1] ?? '')) continue
    if (/^(?:exec|x|dlx|tool|run)$/.test(word)) continue
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
