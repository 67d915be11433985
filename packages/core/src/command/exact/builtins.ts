import { SHELL_BUILTINS } from '../programs/program-names.ts'
import { computeText } from './arithmetic.ts'
import { isPrinting } from './data-words.ts'
import { changeFolder } from './folders.ts'
import { DATA, type ExactState, type ExactWalk, type ExactWord, Inexact } from './state.ts'

/** Builtins that only print or compare: judged like programs. */
const LIKE_PROGRAMS: ReadonlySet<string> = new Set(['echo', 'printf', ':', 'true', 'false', 'test', '[', 'pwd'])

export function isLikeProgram(name: string): boolean {
  return LIKE_PROGRAMS.has(name)
}

const OPTIONS = /^[-+][euxvCfEb]+$/
const NAMED_OPTIONS: ReadonlySet<string> = new Set(
  'errexit nounset xtrace verbose noclobber noglob pipefail errtrace'.split(' '),
)
const SHELL_OPTIONS: ReadonlySet<string> = new Set(['nullglob', 'failglob', 'inherit_errexit', 'nocasematch'])
const SIGNALS: ReadonlySet<string> = new Set(['EXIT', '0', 'INT', 'TERM', 'HUP', 'SIGINT', 'SIGTERM', 'SIGHUP'])

/** Applies a builtin to the state; false for what is judged like a program. */
export function runBuiltin(words: readonly ExactWord[], state: ExactState, walk: ExactWalk): boolean {
  const name = words[0]?.text ?? ''
  const args = words.slice(1)
  if (!SHELL_BUILTINS.has(name)) return false
  if (name === 'printf' && args[0]?.text === '-v') {
    printInto(args.slice(1), state)
    return true
  }
  // `-vname` sets a variable too.
  if (name === 'printf' && /^-v./.test(args[0]?.text ?? '')) throw new Inexact()
  if (LIKE_PROGRAMS.has(name)) return false
  // A loop knows what its commands set only by their names.
  if (words[0]?.isWritten !== true) throw new Inexact()
  switch (name) {
    case 'command':
      return false
    case 'exec':
      state.mayEnd()
      // Alone it only opens files.
      return args.length === 0
    case 'cd':
      walk.emit(words, [], state)
      changeFolder(args, state)
      return true
    case 'pushd':
      state.pushed = [...state.pushed, state.folders]
      if (/^[+-]/.test(args[0]?.text ?? '+')) throw new Inexact()
      changeFolder(args, state)
      return true
    case 'popd': {
      if (args.length > 0 || state.isRepeated || state.pushed.length === 0) throw new Inexact()
      // A `pushd` that failed pushed nothing.
      state.folders = [...new Set([...state.folders, ...state.pushed.flat()])]
      state.pushed = state.pushed.slice(0, -1)
      return true
    }
    case 'read':
      readWords(args, 'rs', 'pnNtdu', 'a', state)
      return true
    case 'mapfile':
    case 'readarray':
      readWords(args, 't', 'dnOsu', '', state)
      return true
    case 'let':
      if (args.length === 0 || args.some(({ isWritten }) => !isWritten)) throw new Inexact()
      for (const { text } of args) computeText(text, state)
      return true
    case 'unset':
      unset(args, state)
      return true
    case 'set':
      setOptions(args, state)
      return true
    case 'shift':
      if (args.length > 0) throw new Inexact()
      state.positional = state.positional?.slice(1) ?? null
      return true
    case 'shopt':
      setShellOptions(args)
      state.endsEarly ||= args.some(({ text }) => text === 'failglob')
      return true
    case 'trap':
      setTrap(args, state, walk)
      return true
    case 'wait':
      waitFor(args, state)
      return true
    case 'exit':
    case 'return':
    case 'break':
    case 'continue':
      // What runs in the background would go on.
      state.mayEnd()
      if (args.some(({ text, isNumber }) => !isNumber && !/^\d+$/.test(text ?? ''))) throw new Inexact()
      return true
    case 'kill':
      // Signal 0 only asks whether a process is there; an option after it would name another.
      if (args[0]?.text !== '-0' || args.length < 2) throw new Inexact()
      if (args.slice(1).some(({ text, isNumber }) => !isNumber && !/^\d+$/.test(text ?? ''))) throw new Inexact()
      return true
    case 'hash':
      if (args.length !== 1 || args[0]?.text !== '-r') throw new Inexact()
      return true
    case 'enable':
      if (args.some(({ text }) => text === null || !/^-[anps]+$/.test(text))) throw new Inexact()
      return true
    case 'type':
    case 'times':
      if (args.some(({ text }) => text === null)) throw new Inexact()
      return true
    default:
      throw new Inexact()
  }
}

/** `printf -v name format …`. */
function printInto([name, ...rest]: readonly ExactWord[], state: ExactState): void {
  if (name?.text == null || name.glob !== null || !name.isWritten || !isPrinting(rest)) throw new Inexact()
  state.set(name.text, DATA)
}

/** `read` and `mapfile`: what they read is unknown. `-C` of `mapfile` runs code. */
function readWords(args: readonly ExactWord[], flags: string, values: string, names: string, state: ExactState): void {
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at]
    if (word?.text == null) throw new Inexact()
    if (!word.text.startsWith('-') || word.text === '-') break
    if (word.text === '--') {
      at++
      break
    }
    for (let letter = 1; letter < word.text.length; letter++) {
      const option = word.text[letter] ?? ''
      if (flags.includes(option)) continue
      const isName = names.includes(option)
      if (!isName && !values.includes(option)) throw new Inexact()
      const rest = word.text.slice(letter + 1)
      const value = rest === '' ? args[++at] : { ...word, text: rest }
      if (isName) setRead(value, state)
      // A descriptor or a separator that is unknown does no harm.
      else if (value === undefined || value.spread) throw new Inexact()
      break
    }
  }
  for (const word of args.slice(at)) setRead(word, state)
  if (at === args.length) state.setSpecial(flags === 't' ? 'MAPFILE' : 'REPLY')
}

function setRead(word: ExactWord | undefined, state: ExactState): void {
  if (word?.text == null || word.glob !== null || !word.isWritten) throw new Inexact()
  state.set(word.text, DATA)
}

function unset(args: readonly ExactWord[], state: ExactState): void {
  const names = args[0]?.text === '-v' ? args.slice(1) : args
  for (const { text, glob, isWritten } of names) {
    if (text === null || glob !== null || !isWritten || state.functions.has(text) || state.isComputed(text))
      throw new Inexact()
    state.set(text, DATA)
  }
}

function setOptions(args: readonly ExactWord[], state: ExactState): void {
  let at = 0
  state.mayEnd()
  state.endsEarly ||= args.some(({ text }) => /^-\w*[eu]|^(?:errexit|nounset)$/.test(text ?? ''))
  for (; at < args.length; at++) {
    const text = args[at]?.text
    // An unknown word may be an option.
    if (text == null || args[at]?.glob !== null) throw new Inexact()
    if (text === '--') {
      setPositional(args.slice(at + 1), state)
      return
    }
    if (text === '-o' || text === '+o') {
      const option = args[++at]?.text ?? ''
      if (!NAMED_OPTIONS.has(option)) throw new Inexact()
      changeOption(option === 'noglob', state)
    } else if (/^[-+][euxvCfEb]*o$/.test(text)) {
      const option = args[++at]?.text ?? ''
      if (!NAMED_OPTIONS.has(option)) throw new Inexact()
      changeOption(option === 'noglob' || text.includes('f'), state)
    } else if (OPTIONS.test(text)) changeOption(text.includes('f'), state)
    else if (/^[-+]/.test(text)) throw new Inexact()
    else break
  }
  // Without words it prints all variables.
  if (args.length === 0) throw new Inexact()
  if (at < args.length) setPositional(args.slice(at), state)
}

function changeOption(isMatching: boolean, state: ExactState): void {
  if (isMatching && state.isRepeated) throw new Inexact()
  state.noMatching ||= isMatching
}

function setPositional(args: readonly ExactWord[], state: ExactState): void {
  state.positional = args.some(({ spread, glob }) => spread || glob !== null)
    ? null
    : args.map(({ text }) => (text === null ? DATA : { kind: 'text', text }))
}

function setShellOptions(args: readonly ExactWord[]): void {
  const [flag, ...names] = args
  if (flag?.text !== '-s' && flag?.text !== '-u') throw new Inexact()
  if (names.length === 0 || names.some(({ text }) => !SHELL_OPTIONS.has(text ?? ''))) throw new Inexact()
}

/** `trap 'code' EXIT`: runs wherever the command ends. */
function setTrap(args: readonly ExactWord[], state: ExactState, walk: ExactWalk): void {
  const [code, ...signals] = args
  if (state.isNested || state.isRepeated || code?.text == null || code.text === '' || code.text.startsWith('-'))
    throw new Inexact()
  if (signals.length === 0 || signals.some(({ text }) => !SIGNALS.has(text ?? ''))) throw new Inexact()
  walk.later(code.text)
}

function waitFor(args: readonly ExactWord[], state: ExactState): void {
  if (args.some(({ text }) => text?.startsWith('-') === true)) throw new Inexact()
  // A number may be that of no process, or of one of several.
  if (args.length === 0) state.running = 0
}
