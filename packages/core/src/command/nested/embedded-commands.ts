import { shellNames } from '../../knowledge/shell.ts'
import type { Input } from '../expansion/standard-input.ts'
import { literalWord, type ShellWord } from '../expansion/words.ts'
import { codeCommands } from './interpreters.ts'
import { type Inner, joinedCode } from './nested-command.ts'

const NONE: readonly Inner[] = []
/** More commands in one text than this are as bad as unknown. */
const MAX_FOUND = 64

const code = (label: string, text: string, known = true): Inner => ({ kind: 'code', label, text, known })

/** The values of options, in the next word or after `=`. */
function values(words: readonly ShellWord[], names: readonly string[]): readonly ShellWord[] {
  return words.flatMap((word, at) => {
    if (at > 0 && names.includes(words[at - 1]?.value ?? '')) return [word]
    const equals = word.template.indexOf('=')
    if (equals === -1 || !names.includes(word.template.slice(0, equals))) return []
    const value = word.value?.slice(equals + 1) ?? null
    return [{ ...word, value, template: word.template.slice(equals + 1) }]
  })
}

/** Every command that a text in another language starts, found by `shape`. */
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
const CONCURRENTLY_VALUE_OPTIONS = shellNames('concurrently_value_options')

type EmbeddedReader = (name: string, words: readonly ShellWord[], input: Input) => readonly Inner[]

/** Every plain word is a command; `npm:dev` names a script. */
const concurrently: EmbeddedReader = (name, words) =>
  words
    .slice(1)
    .filter(
      ({ value }, at) => value?.startsWith('-') !== true && !CONCURRENTLY_VALUE_OPTIONS.has(words[at]?.value ?? ''),
    )
    .filter(({ value }) => value === null || !/^(?:npm|pnpm|yarn|bun|node|deno):/.test(value))
    .map((word) => code(name, word.template, word.value !== null))

/** `-wrapper sh,-c,code`: the compiler starts each of its tools through it. */
const compiler: EmbeddedReader = (name, words) =>
  values(words, ['-wrapper', '--wrapper']).map((word) => ({
    kind: 'words',
    label: `${name} -wrapper`,
    words: word.template.split(',').map(literalWord),
  }))

/** `just --command rm -rf x`: the rest is a command, not a recipe. */
const just: EmbeddedReader = (name, words) => {
  const at = words.findIndex(({ value }) => value === '-c' || value === '--command')
  return at === -1 || at + 1 >= words.length ? NONE : [joinedCode(name, words.slice(at + 1))]
}

/** `faketime -f '-1d' cmd`: a time, then the command. */
const faketime: EmbeddedReader = (name, words) => {
  const at = words.findIndex(
    ({ value }, index) => index > 0 && !/^(?:-[fpm]|--exclude-monotonic|-m)$/.test(value ?? ''),
  )
  const rest = at === -1 ? [] : words.slice(at + 1)
  return rest.length === 0 ? NONE : [{ kind: 'words', label: name, words: rest }]
}

/** `start-stop-daemon --exec program -- words`. */
const daemon: EmbeddedReader = (name, words) => {
  const [program] = values(words, ['--exec', '-x', '--startas', '-a'])
  const dashes = words.findIndex(({ value }) => value === '--')
  if (program === undefined || !words.some(({ value }) => value === '--start' || value === '-S')) return NONE
  return [{ kind: 'words', label: name, words: [program, ...(dashes === -1 ? [] : words.slice(dashes + 1))] }]
}

/** `php artisan tinker --execute code`. */
const php: EmbeddedReader = (_, words, input) => {
  const given = words.some(({ value }) => value === 'tinker') ? values(words, ['--execute']) : []
  return given.flatMap((word) => codeCommands('php', [literalWord('-r'), word], input))
}

const PICKED =
  /(?:execute|execute-silent|become|reload|reload-sync|preview|(?:bg-)?transform(?:-[\w-]{1,20})?)(?:\(((?:[^()\n]|\([^()\n]*\))*)\)|\[([^\]\n]*)\]|\{((?:[^{}\n]|\{[^{}\n]*\})*)\}|<([^>\n]*)>|([~!@#$%^&*;/|])([^\n]*?)\5|:([^\n]+))/g

/** `fzf --preview code --bind 'enter:execute(code)'`. */
const picker: EmbeddedReader = (name, words) => [
  ...values(words, ['--preview', '--cmd', '--with-shell']).map(({ template, value }) =>
    code(`${name} --preview`, template, value !== null),
  ),
  ...values(words, ['--bind']).flatMap(({ template }) =>
    [...template.matchAll(PICKED)].map(([, a, b, c, d, , e, f]) =>
      code(`${name} --bind`, a ?? b ?? c ?? d ?? e ?? f ?? ''),
    ),
  ),
]

/** `strace -o '|command'`. */
const traced: EmbeddedReader = (name, words) =>
  words.flatMap(({ template }, at) => {
    const text = words[at - 1]?.value === '-o' ? template : template.replace(/^(?:--output=|-o)(?=[|!])/, ' ')
    return /^ ?[|!]/.test(text) && (text.startsWith(' ') || words[at - 1]?.value === '-o')
      ? [code(`${name} -o`, text.trim().slice(1))]
      : []
  })

const TCL = /(?:^|[;\n{[])[ \t]*(?:spawn|exec|system|overlay)((?:[ \t]+[^;\n\]}]{1,4096}))/g

const COMPILERS = shellNames('compilers')
const READERS: ReadonlyMap<string, EmbeddedReader> = new Map<string, EmbeddedReader>([
  ['gdb', (name, words, input) => debugged(name, words, GDB, input)],
  ['lldb', (name, words, input) => debugged(name, words, LLDB, input)],
  // `!` passes the rest of the line to a shell; before a comparison it only negates.
  ['dc', (name, words, input) => within(name, texts(words, ['-e', '--expression'], input), /!(?![<>=])([^\n]+)/g)],
  ['m4', (name, _, input) => within(name, fed(input), /syscmd\([ \t]*[`'"[]*([^)'`"\]]{1,4096})/g)],
  ['expect', (name, words, input) => within(name, texts(words, ['-c'], input), TCL)],
  ['tclsh', (name, _, input) => within(name, fed(input), TCL)],
  ['fzf', picker],
  ['sk', picker],
  ['strace', traced],
  ['ltrace', traced],
  ['concurrently', concurrently],
  ['just', just],
  ['faketime', faketime],
  ['start-stop-daemon', daemon],
  ['php', php],
])

/** Commands in the input language of a program: debuggers, calculators, compilers, macro processors. */
export function embeddedCommands(name: string, words: readonly ShellWord[], input: Input): readonly Inner[] {
  const reader = READERS.get(name) ?? (COMPILERS.has(name) ? compiler : undefined)
  return reader?.(name, words, input) ?? NONE
}

const EDITORS = shellNames('vim')
const SHELL_OUT = /^[:\s]*(?:silent!?\s+|sil!?\s+)?(?:\d+|%|\.)?(?:r\s*)?!(.+)$/s
const SYSTEM_CALL = /system(?:list)?\(\s*(['"])(.*?)\1\s*\)/s

/** Shell commands that an editor runs when it starts: `vim -c ':!cmd'`. */
export function editorCommands(name: string, words: readonly ShellWord[]): readonly Inner[] {
  if (!EDITORS.has(name)) return []
  const inner: Inner[] = []
  for (let at = 1; at < words.length; at++) {
    const word = words[at]
    const value = word?.value ?? ''
    const given =
      value === '--cmd' || /^-[esnNRZ]{0,6}c$/.test(value)
        ? words[++at]?.template
        : value.startsWith('+')
          ? value.slice(1)
          : null
    const text = given == null ? undefined : (SHELL_OUT.exec(given)?.[1] ?? SYSTEM_CALL.exec(given)?.[2])
    if (text !== undefined) inner.push({ kind: 'code', label: name, text, known: true })
  }
  return inner
}
