import type { Input } from '../expansion/standard-input.ts'
import { literalWord, type ShellWord } from '../expansion/words.ts'
import { codeCommands } from './interpreters.ts'
import { type Inner, joinedCode } from './nested-command.ts'

const NONE: readonly Inner[] = []
/** So many commands are taken out of one text; what a program is told beyond is as bad as unknown. */
const MAX_FOUND = 64

const code = (label: string, text: string, known = true): Inner => ({ kind: 'code', label, text, known })

/** The values of such options, in the next word or behind `=`. */
function values(words: readonly ShellWord[], names: readonly string[]): readonly ShellWord[] {
  return words.flatMap((word, at) => {
    if (at > 0 && names.includes(words[at - 1]?.value ?? '')) return [word]
    const equals = word.template.indexOf('=')
    if (equals === -1 || !names.includes(word.template.slice(0, equals))) return []
    const value = word.value?.slice(equals + 1) ?? null
    return [{ ...word, value, template: word.template.slice(equals + 1) }]
  })
}

/** Every command that a text of another language starts, as `shape` finds them. */
function within(label: string, text: string, shape: RegExp): readonly Inner[] {
  const found: Inner[] = []
  for (const [, command] of text.matchAll(shape)) {
    if (found.length === MAX_FOUND) return [...found, { kind: 'unknown', message: `${label} runs many commands` }]
    if (command !== undefined && command.trim() !== '') found.push(code(label, command))
  }
  return found
}

const fed = (input: Input) => (input.kind === 'text' ? input.text : '')
const texts = (words: readonly ShellWord[], names: readonly string[], input: Input) =>
  [...values(words, names).map(({ template }) => template), fed(input)].join('\n')

const DEBUGGER = /^[ \t]*(?:shell|make|!|(?:platform[ \t]+)?shell|pipe[^|\n]{0,200}\|)[ \t]*(.+)$/gm
const DEBUGGER_PYTHON = /^[ \t]*(?:python|py|pi|script)[ \t]+(.+)$/gm

function debugged(name: string, words: readonly ShellWord[], names: readonly string[], input: Input): readonly Inner[] {
  const text = texts(words, names, input)
  const inner = [...within(name, text, DEBUGGER)]
  for (const [, line] of text.matchAll(DEBUGGER_PYTHON))
    inner.push(...codeCommands('python', [], { kind: 'text', text: line ?? '', known: true }))
  return inner
}

const GDB = [
  '-ex',
  '--ex',
  '-iex',
  '--iex',
  '-eval-command',
  '--eval-command',
  '-init-eval-command',
  '--init-eval-command',
]
const LLDB = ['-o', '--one-line', '-O', '--one-line-before-file', '-k', '--one-line-on-crash']
const CONCURRENTLY = new Set(
  '-n --names -c --prefix-colors -p --prefix -m --max-processes -l --prefix-length -t --timestamp-format --restart-tries --restart-after --kill-signal --success -s --default-input-target --handle-input'.split(
    ' ',
  ),
)

type Told = (name: string, words: readonly ShellWord[], input: Input) => readonly Inner[]

/** Every plain word is a command; `npm:dev` names a script. */
const concurrently: Told = (name, words) =>
  words
    .slice(1)
    .filter(({ value }, at) => value?.startsWith('-') !== true && !CONCURRENTLY.has(words[at]?.value ?? ''))
    .filter(({ value }) => value === null || !/^(?:npm|pnpm|yarn|bun|node|deno):/.test(value))
    .map((word) => code(name, word.template, word.value !== null))

/** `-wrapper sh,-c,code`: each tool of the compiler is started through it. */
const compiler: Told = (name, words) =>
  values(words, ['-wrapper', '--wrapper']).map((word) => ({
    kind: 'words',
    label: `${name} -wrapper`,
    words: word.template.split(',').map(literalWord),
  }))

/** `just --command rm -rf x`: the rest is no recipe. */
const just: Told = (name, words) => {
  const at = words.findIndex(({ value }) => value === '-c' || value === '--command')
  return at === -1 || at + 1 >= words.length ? NONE : [joinedCode(name, words.slice(at + 1))]
}

/** `faketime -f '-1d' cmd`: a moment, then the command. */
const faketime: Told = (name, words) => {
  const at = words.findIndex(
    ({ value }, index) => index > 0 && !/^(?:-[fpm]|--exclude-monotonic|-m)$/.test(value ?? ''),
  )
  const rest = at === -1 ? [] : words.slice(at + 1)
  return rest.length === 0 ? NONE : [{ kind: 'words', label: name, words: rest }]
}

/** `start-stop-daemon --exec program -- words`. */
const daemon: Told = (name, words) => {
  const [program] = values(words, ['--exec', '-x', '--startas', '-a'])
  const dashes = words.findIndex(({ value }) => value === '--')
  if (program === undefined || !words.some(({ value }) => value === '--start' || value === '-S')) return NONE
  return [{ kind: 'words', label: name, words: [program, ...(dashes === -1 ? [] : words.slice(dashes + 1))] }]
}

/** `php artisan tinker --execute code`. */
const php: Told = (_, words, input) => {
  const given = words.some(({ value }) => value === 'tinker') ? values(words, ['--execute']) : []
  return given.flatMap((word) => codeCommands('php', [literalWord('-r'), word], input))
}

const TCL = /(?:^|[;\n{[])[ \t]*(?:spawn|exec|system|overlay)((?:[ \t]+[^;\n\]}]{1,4096}))/g

const COMPILERS = 'gcc g++ cc c++ gfortran'.split(' ')
const TOLD: ReadonlyMap<string, Told> = new Map<string, Told>([
  ['gdb', (name, words, input) => debugged(name, words, GDB, input)],
  ['lldb', (name, words, input) => debugged(name, words, LLDB, input)],
  // `!` gives the rest of the line to a shell; before a comparison it only turns that around.
  ['dc', (name, words, input) => within(name, texts(words, ['-e', '--expression'], input), /!(?![<>=])([^\n]+)/g)],
  ['m4', (name, _, input) => within(name, fed(input), /syscmd\([ \t]*[`'"[]*([^)'`"\]]{1,4096})/g)],
  ['expect', (name, words, input) => within(name, texts(words, ['-c'], input), TCL)],
  ['tclsh', (name, _, input) => within(name, fed(input), TCL)],
  ['concurrently', concurrently],
  ['just', just],
  ['faketime', faketime],
  ['start-stop-daemon', daemon],
  ['php', php],
  ...COMPILERS.map((name): [string, Told] => [name, compiler]),
])

/** What programs run that are told so in a language of their own: debuggers, calculators, compilers, macro readers. */
export function toldCommands(name: string, words: readonly ShellWord[], input: Input): readonly Inner[] {
  return TOLD.get(name)?.(name, words, input) ?? NONE
}
