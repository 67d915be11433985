import { SHELL_BUILTINS } from '../programs/program-names.ts'
import { changeFolder } from './folders.ts'
import { isOwnName } from './names.ts'
import { ExactState, type ExactWalk, type ExactWord, Inexact } from './state.ts'
import { anyWord, literal } from './words.ts'

/** How a program that runs another reads the words before it. */
interface Wrapper {
  readonly flags: ReadonlySet<string>
  readonly values: ReadonlySet<string>
  /** Options with a value in the same word. */
  readonly joined?: RegExp
  /** Words before the command. */
  readonly before?: number
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' ').filter((word) => word !== ''))

/** Options by the manuals of coreutils and util-linux. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  timeout: {
    flags: set('--preserve-status -v --verbose -p'),
    values: set('-k -s --kill-after --signal'),
    joined: /^(?:--(?:kill-after|signal)=\w+|-[ks]\w+)$/,
    before: 1,
  },
  nice: { flags: set(''), values: set('-n --adjustment'), joined: /^(?:--adjustment=-?\d+|-n?\d+)$/ },
  ionice: { flags: set('-t --ignore'), values: set('-c -n --class --classdata'), joined: /^-[cn]\d$/ },
  stdbuf: { flags: set(''), values: set('-i -o -e'), joined: /^(?:-[ioe]\w+|--(?:input|output|error)=\w+)$/ },
  setsid: { flags: set('-w --wait'), values: set('') },
  command: { flags: set('-p'), values: set('') },
  exec: { flags: set(''), values: set('') },
}

/** They become the program that they run; the others wait for it. */
const REPLACING = set('env nice ionice stdbuf command exec')

/** Builtins that are programs too and do the same. */
const ALSO_PROGRAMS: ReadonlySet<string> = new Set(['echo', 'printf', 'test', '[', 'true', 'false', 'pwd'])

/** Runs what a program that runs another runs; false for any other program. */
export function runWrapped(words: readonly ExactWord[], state: ExactState, walk: ExactWalk): boolean {
  const name = words[0]?.text ?? ''
  const args = words.slice(1)
  if (name === 'env') runInEnvironment(args, state, walk)
  else if (name === 'xargs') runRepeated(args, state, walk)
  else if (name === 'flock') runLocked(args, state, walk)
  else if (name === 'script') runRecorded(args, state, walk)
  else if (name === 'bash' || name === 'sh') runShell(name, args, state, walk)
  else {
    const row = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
    if (row === undefined) return false
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
  const outside = state.nested()
  outside.functions.clear()
  outside.isHeld ||= !REPLACING.has(by)
  walk.run(words, [], outside)
}

/** Steps over known options; whatever else starts with a dash is not certain. */
function options(args: readonly ExactWord[], row: Wrapper): number {
  let at = 0
  for (; at < args.length; at++) {
    const text = args[at]?.text
    if (text == null || args[at]?.glob !== null) throw new Inexact()
    if (text === '--') return at + 1
    if (!text.startsWith('-')) break
    if (row.flags.has(text) || row.joined?.test(text) === true) continue
    if (!row.values.has(text) || args[at + 1]?.text == null) throw new Inexact()
    at++
  }
  return at
}

const ENVIRONMENT: Wrapper = {
  flags: set('-i - --ignore-environment'),
  values: set('-C --chdir -u --unset -S --split-string'),
}

function runInEnvironment(args: readonly ExactWord[], state: ExactState, walk: ExactWalk): void {
  const next = options(args, ENVIRONMENT)
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
      // Less than `-i`, which takes every variable away.
      if (!/^[A-Za-z_]\w*$/.test(value ?? '')) throw new Inexact()
    } else if (option === '-S' || option === '--split-string') {
      if (split.length > 0 || !/^[\w./ -]+$/.test(value ?? '')) throw new Inexact()
      split = (value ?? '').trim().split(/ +/).map(literal)
    } else continue
    at++
  }
  const words = [...split, ...args.slice(next)]
  let at = 0
  for (; at < words.length; at++) {
    const text = words[at]?.text
    const name = text == null ? undefined : /^([A-Za-z_]\w*)=/.exec(text)?.[1]
    if (name === undefined) break
    if (!isOwnName(name)) throw new Inexact()
  }
  // Without a command it prints the environment.
  if (at === words.length || words[at]?.text?.includes('=') === true) throw new Inexact()
  runProgram('env', words.slice(at), inside, walk)
}

const REPEATED: Wrapper = {
  flags: set('-0 --null -r --no-run-if-empty -t --verbose -x'),
  values: set('-n -L -I -P'),
  joined: /^-[nLP]\d+$|^-I[^-\s]\S*$|^--max-(?:args|lines|procs)=\d+$|^-d(?:[^\\]|\\.)$/,
}

/** `xargs`: the words it reads are unknown. */
function runRepeated(args: readonly ExactWord[], state: ExactState, walk: ExactWalk): void {
  const next = options(args, REPEATED)
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

const LOCKED: Wrapper = {
  flags: set('-n -s -x -e -u -o -F --nonblock --shared --exclusive --close --no-fork --verbose'),
  values: set('-w -E --wait --timeout --conflict-exit-code'),
}

/** `flock file command`: makes the file if there is none. */
function runLocked(args: readonly ExactWord[], state: ExactState, walk: ExactWalk): void {
  const next = options(args, LOCKED)
  const file = args[next]
  const inner = args.slice(next + 1)
  if (file?.text == null || file.glob !== null || /^\d+$/.test(file.text) || inner[0]?.text?.startsWith('-') === true)
    throw new Inexact()
  walk.emit([literal(':')], [{ operator: '>>', target: file.text }], state)
  runProgram('flock', inner, state, walk)
}

/** `script -qc 'code' file`: runs the code in the person's shell, and writes what it prints. */
function runRecorded(args: readonly ExactWord[], state: ExactState, walk: ExactWalk): void {
  const at = args.findIndex(({ text }) => !/^-[qe]+$/.test(text ?? ''))
  const [flags, code, file, ...more] = args.slice(Math.max(at, 0))
  if (more.length > 0 || !/^-[qe]*c$/.test(flags?.text ?? '') || file?.text == null) throw new Inexact()
  if (file.glob !== null || file.text === '' || file.text.startsWith('-') || code === undefined) throw new Inexact()
  walk.emit([literal(':')], [{ operator: '>', target: file.text }], state)
  runShell('sh', [literal('-c'), code], state, walk)
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
