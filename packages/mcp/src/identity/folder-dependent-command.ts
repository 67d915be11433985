import { lstatSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { innerCommand } from './wrapper-commands.ts'

/** Programs that fetch a package by name. */
const PACKAGE_RUNNERS = /^(?:npx|pnpx|bunx|uvx|pipx|docker|podman|nerdctl)$/
/** Subcommands that do the same. `pnpm exec` and `yarn exec` are missing: they run what the folder has. */
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
/** Further options with a value that may do so before the package; after it they belong to the server. */
const EARLY_OPTION =
  /^(?:--(?:prefix|project|directory|python|index|index-url|extra-index-url|registry|cache|userconfig|workspace|config-file|env-file|constraints|overrides|pip-args)|-[pcwe])$/
/** A relative folder mounted into a container. */
const MOUNT = /(?:^|[=,])\.{1,2}(?:$|[/:,])/
const MAX_FOLDERS = 64

/**
 * Whether a command can start a different program in another folder: a word is a file there, or a runner gets no fixed
 * location. A program found by name alone counts as installed. SECURITY: A20 in doubt the answer is yes.
 */
export function dependsOnFolder(command: readonly string[], cwd: string): boolean {
  if (command.some((word) => isRelativeFile(word, cwd))) return true
  const inner = innerCommand(command)
  if (inner === 'unclear') return true
  if (inner !== null) return dependsOnFolder(inner, cwd)
  const [program = '', ...rest] = command
  if (program.includes('/') && !isAbsolute(program)) return true
  const name = basename(program)
  const started = rest.slice(rest.indexOf('--') + 1)
  const isPassedOn = rest.includes('--') && isRunner(basename(started[0] ?? ''))
  if (isPackage(name, rest)) {
    if (CONTAINERS.test(name)) return rest.some((word) => MOUNT.test(word))
    return isFolderPackage(rest, cwd) || (isPassedOn && dependsOnFolder(started, cwd))
  }
  if (isRunner(name)) return !hasFixedLocation(name, rest, (inner) => !dependsOnFolder(inner, cwd))
  return isPassedOn && dependsOnFolder(started, cwd)
}

/** SECURITY: A20 decided by position: an argument of the server says nothing about which program it is. */
function isPackage(name: string, rest: readonly string[]): boolean {
  const [first = '', second = ''] = rest.filter((word) => !word.startsWith('-'))
  if (PACKAGE_RUNNERS.test(name)) return !rest.includes('compose')
  if (name === 'deno') return DENO_PACKAGE.test(first === 'run' ? second : first)
  return PACKAGE_VERBS.get(name)?.test(first) === true
}

/** Whether the package comes from the folder: named by a path (`--from .`, `./pkg`), or found there by name. */
function isFolderPackage(rest: readonly string[], cwd: string): boolean {
  if (rest.some((word) => isLocalProgram(word, cwd))) return true
  let isNamed = false
  for (const [at, word] of rest.entries()) {
    const [option = '', value] = word.split(/=(.*)/s)
    const takes = (one: string): boolean => PACKAGE_OPTION.test(one) || (!isNamed && EARLY_OPTION.test(one))
    if (takes(option) && isRelativeLocation(value ?? rest[at + 1] ?? '', cwd)) return true
    if (word.startsWith('-') || takes(rest[at - 1] ?? '')) continue
    if (/^(?:exec|x|dlx|tool|run)$/.test(word)) continue
    if (!isNamed && isRelativeLocation(word, cwd)) return true
    isNamed = true
  }
  return false
}

/** A folder or archive, as package runners write it, that differs between folders. */
function isRelativeLocation(word: string, cwd: string): boolean {
  const place = word.replace(/^(?:file|link|workspace|git\+file):(?:\/\/)?/, '')
  if (place === '' || isAbsolute(place) || place.startsWith('~')) return false
  return place !== word || /^\.{1,2}(?:$|[/[@])/.test(place) || /\s/.test(place) || exists(resolve(cwd, place))
}

function isRelativeFile(word: string, cwd: string): boolean {
  const path = pathIn(word)
  return path !== '' && path.length < 4096 && !isAbsolute(path) && !path.includes('\0') && isFile(resolve(cwd, path))
}

/** `npx name` runs a program of the folder if it has that name. */
function isLocalProgram(word: string, cwd: string): boolean {
  const name = basename(word).replace(/(?<=.)@.*$/, '')
  if (name === '' || name.startsWith('-') || name.length > 256 || name.includes('\0')) return false
  let folder = cwd
  for (let at = 0; at < MAX_FOLDERS; at++) {
    if (isFile(join(folder, 'node_modules', '.bin', name))) return true
    const above = dirname(folder)
    if (above === folder) return false
    folder = above
  }
  return true
}

/** `--import=./hook.mjs` also names a file. */
function pathIn(word: string): string {
  return word.startsWith('-') ? word.slice(word.indexOf('=') + 1 || word.length) : word
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false // a part of the path is not a folder, or not readable
  }
}

function exists(path: string): boolean {
  if (path.length >= 4096 || path.includes('\0')) return false
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Interpreters: they run a script, or what they find in the current folder. */
const INTERPRETERS =
  /^(?:node|nodejs|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua|luajit|Rscript|julia|elixir|java|sh|bash|dash|ash|ksh|zsh|fish|csh|tcsh|nu|pwsh)$/
/** Project tools: they run what the current project has, unless told of another. */
const TOOLS =
  /^(?:npm|pnpm|yarn|bun|deno|uv|poetry|pipenv|hatch|pdm|rye|pixi|conda|mamba|micromamba|bundle|rake|composer|make|just|task|cargo|go|mix|swift|dotnet|gradle|gradlew|mvn|mvnw|nix|nix-shell|devbox|direnv|mise|docker|podman|nerdctl|docker-compose|podman-compose)$/
/** Tools that pass on only what follows `--`; everything before is theirs. */
const KEEPS_ALL = /^(?:npm|make|cargo|gradle|mvn)$/

/** Options that set the folder of a tool. */
const FOLDER_OPTION =
  /^(?:--(?:directory|prefix|cwd|dir|manifest-path|file|justfile|project-directory|package-path)|-C|-f)$/
/** Sets the project; the program still runs in the current folder. */
const PROJECT_OPTION = /^--project$/
/** Options with a value that is not a location. */
const WITH_A_WORD =
  /^(?:--(?:python|with|with-editable|with-requirements|extra|group|index|index-url|env-file|filter|name|env)|-[pnjew])$/
/** Words that come before the program to run. */
const VERB = /^(?:run|start|exec|task|compose|x)$/

/** Options by which an interpreter loads a module, which it looks for in the current folder. */
const LOADS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:python|pypy)/, /^-[A-Za-z]*[mc][^/]/],
  [
    /^(?:node|tsx|ts-node)/,
    /^(?:--(?:import|require|loader|experimental-loader|eval|print)=|-[rep])(?!$|file:|data:)[^/]/,
  ],
  [/^(?:ruby|perl)/, /^-[rIMe][^/]/],
]

/** Whether a program runs what it finds in the current folder, unless told otherwise. */
function isRunner(name: string): boolean {
  return INTERPRETERS.test(name) || TOOLS.test(name)
}

/**
 * Whether a runner gets a location that is the same in every folder: its script, or the folder it works in. SECURITY:
 * A20 only its own words count, not the arguments of the server. `isSame` answers that for a command that the runner
 * starts.
 */
function hasFixedLocation(
  name: string,
  rest: readonly string[],
  isSame: (command: readonly string[]) => boolean,
): boolean {
  if (!TOOLS.test(name)) return isScriptOwn(name, rest)
  let isProject = false
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    const [option = '', value = rest[at + 1] ?? ''] = word.split(/=(.*)/s)
    if (FOLDER_OPTION.test(option) && isAbsolute(value)) return true
    if (PROJECT_OPTION.test(option) && isAbsolute(value)) isProject = true
    const takes = FOLDER_OPTION.test(word) || PROJECT_OPTION.test(word) || WITH_A_WORD.test(word)
    if (takes) at += 1
    else if (word === '--') return isStarted(rest.slice(at + 1), isProject, isSame)
    else if (!word.startsWith('-') && !VERB.test(word) && !KEEPS_ALL.test(name))
      return isStarted(rest.slice(at), isProject, isSame)
  }
  return isProject
}

/** What a tool runs: a script by its absolute path, or a program of a project elsewhere. */
function isStarted(
  command: readonly string[],
  isProject: boolean,
  isSame: (command: readonly string[]) => boolean,
): boolean {
  const [target = ''] = command
  return isAbsolute(target) || INTERPRETERS.test(target) ? isSame(command) : isProject
}

function isScriptOwn(name: string, rest: readonly string[]): boolean {
  const at = rest.findIndex((word) => !word.startsWith('-'))
  const loads = LOADS.some(([which, option]) => which.test(name) && rest.slice(0, at).some((word) => option.test(word)))
  return isAbsolute(rest[at] ?? '') && !loads
}
