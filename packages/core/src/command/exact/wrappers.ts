import { type ExactWrapperRow, shellKnowledge } from '../../knowledge/shell.ts'
import { SHELL_BUILTINS } from '../programs/program-names.ts'
import { changeFolder } from './folders.ts'
import { runFound } from './found-files.ts'
import { isOwnName, isPlainName } from './names.ts'
import { DATA, ExactState, type ExactWalk, type ExactWord, Inexact, textValue } from './state.ts'
import { anyWord, literal } from './words.ts'

/** The programs that are followed, with their options. */
const rowOf = (name: string): ExactWrapperRow | undefined => {
  const rows = shellKnowledge().exact_wrappers
  return Object.hasOwn(rows, name) ? rows[name] : undefined
}

/** Builtins that are programs too and do the same. */
const ALSO_PROGRAMS: ReadonlySet<string> = new Set(['echo', 'printf', 'test', '[', 'true', 'false', 'pwd'])

/** Runs what a program that runs another runs; false for any other program. */
export function runWrapped(words: readonly ExactWord[], state: ExactState, walk: ExactWalk): boolean {
  const name = words[0]?.text ?? ''
  const args = words.slice(1)
  if (name === 'bash' || name === 'sh') {
    runShell(name, args, state, walk)
    return true
  }
  if (name === 'find') return runFound(args, state, walk)
  const row = rowOf(name)
  if (row === undefined) return false
  if (name === 'env') runInEnvironment(args, row, state, walk)
  else if (name === 'xargs') runRepeated(args, row, state, walk)
  else if (name === 'flock') runLocked(args, row, state, walk)
  else if (name === 'script') runRecorded(args, row, state, walk)
  else {
    // `command -v ls` only prints where it is.
    if (name === 'command' && (args[0]?.text === '-v' || args[0]?.text === '-V')) return true
    const next = options(args, row)
    // Without the option it goes on in the background; below a program that is ended, it would stay.
    const isWaiting = args.slice(0, next).some(({ text }) => text === '-w' || text === '--wait')
    if (name === 'setsid' && (!isWaiting || state.isHeld)) throw new Inexact()
    runProgram(name, args.slice(next + (row.before ?? 0)), state, walk)
  }
  return true
}

/** Runs a program by its name: no function or builtin of the shell. */
function runProgram(by: string, words: readonly ExactWord[], state: ExactState, walk: ExactWalk): void {
  const name = words[0]?.text
  if (name == null || (SHELL_BUILTINS.has(name) && !ALSO_PROGRAMS.has(name))) throw new Inexact()
  // `command printf -v name` sets a variable of this shell.
  if (name === 'printf' && words[1]?.text?.startsWith('-') !== false) throw new Inexact()
  const outside = state.nested()
  outside.functions.clear()
  outside.isHeld ||= rowOf(by)?.stays === true
  walk.run(words, [], outside)
}

/** Steps over known options; whatever else starts with a dash is not certain. */
function options(args: readonly ExactWord[], row: ExactWrapperRow): number {
  const joined = row.joined === undefined ? null : new RegExp(`^(?:${row.joined})$`)
  let at = 0
  for (; at < args.length; at++) {
    const text = args[at]?.text
    if (args[at]?.keeps !== undefined) break
    if (text == null || args[at]?.glob !== null) throw new Inexact()
    if (text === '--') return at + 1
    if (!text.startsWith('-')) break
    if (row.flags?.includes(text) === true || joined?.test(text) === true) continue
    if (row.values?.includes(text) !== true || args[at + 1]?.text == null) throw new Inexact()
    at++
  }
  return at
}

function runInEnvironment(args: readonly ExactWord[], row: ExactWrapperRow, state: ExactState, walk: ExactWalk): void {
  const next = options(args, row)
  const inside = state.nested()
  let split: readonly ExactWord[] = []
  for (let at = 0; at < next; at++) {
    const option = args[at]?.text
    const value = args[at + 1]?.text
    if (option === '-C' || option === '--chdir') {
      // Where it can't go, it runs nothing.
      changeFolder([literal(value ?? '')], inside)
      inside.folders = inside.arrived
    } else if (option === '-u' || option === '--unset') {
      if (isPlainName(value ?? '')) inside.given = new Map([...inside.given, [value ?? '', DATA]])
      else if (!isOwnName(value ?? '')) throw new Inexact()
    } else if (option === '-S' || option === '--split-string') {
      // What follows comes after the words of the text, and is no option of `env` any more.
      if (at + 2 !== next || !/^[\w./ -]+$/.test(value ?? '')) throw new Inexact()
      split = (value ?? '').trim().split(/ +/).map(literal)
    } else continue
    at++
  }
  const words = [...split, ...args.slice(next)]
  let at = 0
  for (; at < words.length; at++) {
    if (words[at]?.keeps !== undefined) continue
    const text = words[at]?.text
    const [start = '', name] = text == null ? [] : (/^([A-Za-z_]\w*)=/.exec(text) ?? [])
    if (name === undefined) break
    if (isPlainName(name)) inside.given = new Map([...inside.given, [name, textValue(text?.slice(start.length) ?? '')]])
    else if (!isOwnName(name)) throw new Inexact()
  }
  // Without a command it prints the environment.
  if (at === words.length || words[at]?.text?.includes('=') === true) throw new Inexact()
  runProgram('env', words.slice(at), inside, walk)
}

/** `xargs`: the words it reads are unknown. */
function runRepeated(args: readonly ExactWord[], row: ExactWrapperRow, state: ExactState, walk: ExactWalk): void {
  const next = options(args, row)
  const before = args.slice(0, next).map(({ text }) => text ?? '')
  const at = before.findIndex((text) => text.startsWith('-I'))
  const mark = at === -1 ? null : before[at] === '-I' ? (before[at + 1] ?? '') : (before[at] ?? '').slice(2)
  // `-n` and `-L` end the effect of an earlier `-I`.
  const limits = before.filter((text) => /^-[nLI]|^--max/.test(text)).length
  if (mark !== null && (limits > 1 || mark === '' || mark.startsWith('-'))) throw new Inexact()
  const given = args.slice(next)
  const words = given.length === 0 ? [literal('echo')] : given
  const filled =
    mark === null
      ? [...words, anyWord(true)]
      : words.map((word) => (word.text?.includes(mark) === true ? anyWord(false) : word))
  runProgram('xargs', filled, state, walk)
}

/** `flock file command`: makes the file if there is none. */
function runLocked(args: readonly ExactWord[], row: ExactWrapperRow, state: ExactState, walk: ExactWalk): void {
  const next = options(args, row)
  const file = args[next]
  const inner = args.slice(next + 1)
  if (file?.text == null || file.glob !== null || /^\d+$/.test(file.text) || inner[0]?.text?.startsWith('-') === true)
    throw new Inexact()
  walk.emit([literal(':')], [{ operator: '>>', target: file.text }], state)
  runProgram('flock', inner, state, walk)
}

/**
 * `script -qec code /dev/null`: runs code with the person's shell, on a terminal of its own. There, programs may start a pager
 * or ask questions: only those that take no settings are followed.
 */
function runRecorded(words: readonly ExactWord[], row: ExactWrapperRow, state: ExactState, walk: ExactWalk): void {
  // `-qec code`: the letter with the value is the last.
  const args = words.flatMap((word) => {
    const bundle = word.isWritten ? /^-([qefa]+)c$/.exec(word.text ?? '')?.[1] : undefined
    return bundle === undefined ? [word] : [literal(`-${bundle}`), literal('-c')]
  })
  const next = options(args, row)
  const at = args.findIndex(({ text }) => text === '-c' || text === '--command')
  const code = args[at + 1]
  // A second command would count instead.
  const isOne = args.filter(({ text }) => text === '-c' || text === '--command').length === 1
  const [file, ...more] = args.slice(next)
  if (at === -1 || !isOne || at >= next || file?.text !== '/dev/null' || more.length > 0) throw new Inexact()
  const inside = state.nested()
  inside.given = new Map([...state.given, ['SCRIPT', DATA]])
  inside.isHeld = true
  if (code !== undefined) runShell('sh', [literal('-c'), code], inside, walk)
}

/** Code that every shell reads as bash does. */
const PORTABLE = /^(?:[\w\s./=,:'"%+-]|;|\|{1,2}|&&)*$/

function runShell(name: string, args: readonly ExactWord[], state: ExactState, walk: ExactWalk): void {
  let at = 0
  let isCode = false
  for (; at < args.length && !isCode; at++) {
    const text = args[at]?.text
    if (text === '--norc' || text === '--noprofile') continue
    if (text == null || !/^-[euxc]+$/.test(text)) throw new Inexact()
    isCode = text.includes('c')
  }
  const code = args[at]
  if (!isCode || code?.text == null || code.glob !== null) throw new Inexact()
  if (name === 'sh' && !PORTABLE.test(code.text)) throw new Inexact()
  const inside = new ExactState()
  inside.folders = state.folders
  inside.given = state.given
  inside.isNested = true
  inside.isPiped = state.isPiped
  inside.isHeld = true
  inside.endsEarly = args.slice(0, at).some(({ text }) => /^-\w*[eu]/.test(text ?? ''))
  const given = args.slice(at + 2)
  inside.positional = given.some(({ text, glob }) => text === null || glob !== null)
    ? null
    : given.map(({ text }) => ({ kind: 'text', text: text ?? '' }))
  walk.code(code.text, inside)
  if (inside.running > 0) throw new Inexact()
}
