import { ARGUMENT_NAMES } from '../../knowledge/compiled/tools.ts'
import { isArray } from '../json/canonical.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { plainKey } from '../names/words.ts'

const MAX_WORDS = 4096

/** A word quoted for the shell. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Joins a command with its arguments: `{ command: 'git', args: ['status'] }`, whatever the list is called. */
export function withWords(command: string, args: JsonObject): string {
  const words = wordsBeside(args)
  const [first] = words
  // The first word of an `argv` is the program's name.
  const own = first !== undefined && Object.hasOwn(args, 'argv') && first === shellQuote(baseName(command)) ? 1 : 0
  return [command, ...words.slice(own)].join(' ')
}

/** The arguments of a program, quoted. A text is split by a shell, so it stays unquoted. */
export function wordsBeside(args: JsonObject): readonly string[] {
  const found: string[] = []
  for (const [key, value] of Object.entries(args)) {
    if (!ARGUMENT_NAMES.programArguments.has(plainKey(key))) continue
    const list = typeof value === 'string' ? listIn(value) : value
    if (typeof list === 'string') found.push(list)
    else if (list !== null && typeof list === 'object' && isArray(list)) found.push(...quoted(list))
  }
  return found
}

/** A text may be a JSON list. A JSON object is not an argument of a program. */
function listIn(text: string): Json {
  const [first] = text.trimStart()
  if (first !== '[' && first !== '{') return text
  try {
    const value = JSON.parse(text) as Json
    return value !== null && typeof value === 'object' ? (isArray(value) ? value : null) : text
  } catch {
    return text
  }
}

function quoted(list: readonly Json[]): readonly string[] {
  return list.slice(0, MAX_WORDS).flatMap((word) => {
    if (typeof word === 'string') return [shellQuote(word)]
    return typeof word === 'number' || typeof word === 'boolean' ? [String(word)] : []
  })
}

/** A command whose program and words are in several arguments, and the names of those arguments. */
export interface SpreadCommand {
  readonly line: string
  readonly taken: ReadonlySet<string>
}

/**
 * Finds `{ program: 'rm', args: ['-rf', '/'] }`, `{ entrypoint: ['sh', '-c'], cmd: 'ls' }` and, if the tool is only a
 * shell, `{ argv: ['rm', '-rf', '/'] }`.
 */
export function spreadCommand(args: JsonObject, isBare: boolean): SpreadCommand | undefined {
  const key = Object.keys(args).find((name) => isProgram(plainKey(name), args[name], isBare))
  if (key !== undefined) {
    const program = args[key]
    if (plainKey(key) === 'entrypoint') return enteredBy(program, args)
    // `start_course { program: 'physics' }` runs nothing.
    if (!isBare && wordsBeside(args).length === 0) return undefined
    if (typeof program === 'string') return { line: withWords(shellQuote(program), args), taken: NONE }
  }
  const whole = Object.keys(args).find((name) => ARGUMENT_NAMES.wholeCommands.has(plainKey(name)) && isList(args[name]))
  const words = whole === undefined ? undefined : args[whole]
  if (!isBare || !isList(words) || typeof words[0] !== 'string' || !/^[\w./~]/.test(words[0])) return undefined
  const { path } = args
  if (typeof path === 'string' && path.endsWith(`/${words[0]}`)) return { line: quoted(words).join(' '), taken: NONE }
  return typeof args['command'] === 'string' || typeof args['cmd'] === 'string'
    ? undefined
    : { line: listLine(words.filter((word) => typeof word === 'string')), taken: NONE }
}

const NONE: ReadonlySet<string> = new Set()

function isProgram(name: string, value: Json | undefined, isBare: boolean): boolean {
  if (!ARGUMENT_NAMES.programs.has(name) || (name === 'file' && !isBare)) return false
  if (isList(value)) return name === 'entrypoint' && value.length > 0
  if (typeof value !== 'string' || value.trim() === '' || value.length > 4096) return false
  // A file that another program runs, such as a test or a script.
  return name !== 'file' || !/\.(?!exe$)\w{1,8}$/i.test(value)
}

/** The entry point of a container with its arguments. */
function enteredBy(program: Json | undefined, args: JsonObject): SpreadCommand | undefined {
  const start = typeof program === 'string' ? [program] : isList(program) ? quoted(program) : []
  const taken = new Set(Object.keys(args).filter((name) => /^(?:cmd|command)$/.test(plainKey(name))))
  const given = [...taken].flatMap((name) => {
    const value = args[name]
    if (typeof value === 'string') return [isList(program) ? shellQuote(value) : value]
    return isList(value) ? quoted(value) : []
  })
  const line = [...start, ...given, ...wordsBeside(args)].join(' ')
  return line === '' ? undefined : { line, taken }
}

function isList(value: Json | undefined): value is readonly Json[] {
  return value !== undefined && value !== null && typeof value === 'object' && isArray(value)
}

const SHELL = /^(?:ba|z|k|da|a|fi)?sh$/
const CODE_FLAG = /^-\w*[ce]$|^--(?:eval|command|exec|execute|print)$|^-(?:Command|EncodedCommand)$/
/** Programs that take a whole command as one word. */
const CARRIERS: ReadonlySet<string> = new Set('ssh su watch eval parallel tmux screen script xargs env'.split(' '))

/**
 * A list of words may run directly, or joined by a shell. If the two differ in what runs, both are judged. `['sh', '-c',
 * text]` has only one meaning: joined, it would do less.
 */
export function listLine(words: readonly string[]): string {
  const exact = words.map(shellQuote).join(' ')
  const joined = words.join(' ')
  const program = baseName(words[0] ?? '')
  if (words.length === 3 && SHELL.test(program) && /^-\w*c$/.test(words[1] ?? '')) return exact
  const carries = CARRIERS.has(program) || words.some((word) => CODE_FLAG.test(word))
  return exact !== joined && carries ? `${exact}\n${joined}` : joined
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
