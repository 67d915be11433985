import { shellKnowledge, shellNames } from '../../knowledge/shell.ts'
import type { Input } from '../expansion/standard-input.ts'
import { literalWord, type ShellWord, unknownWord } from '../expansion/words.ts'
import { type Options, stepOverOptions } from '../programs/option-parser.ts'
import { type Inner, joinedCode, withPlaceholder } from './nested-command.ts'

const FIND_ACTIONS = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const FD_ACTIONS = new Set(['-x', '-X', '--exec', '--exec-batch'])

/** The commands `find -exec … ;` and `fd -x …` run. */
export function foundCommands(program: 'find' | 'fd', args: readonly ShellWord[]): readonly Inner[] {
  const actions = program === 'find' ? FIND_ACTIONS : FD_ACTIONS
  const inner: Inner[] = []
  for (let at = 0; at < args.length; at++) {
    const action = args[at]?.value
    if (action === null || action === undefined) continue
    const joined = program === 'fd' ? /^--exec(?:-batch)?=(.*)$/s.exec(action) : null
    if (!actions.has(action) && joined === null) continue
    const start = at + 1
    let end = start
    while (end < args.length && args[end]?.value !== ';' && !endsWithPlus(args, end)) end++
    const words = args.slice(start, end)
    const first = joined?.[1] === undefined ? [] : [{ ...unknownWord(joined[1]), value: joined[1] }]
    if (words.length + first.length > 0) {
      const like = program === 'find' ? filterOf(args.slice(0, at)) : null
      const filled = withPlaceholder([...first, ...words], '{}')
      const run =
        like === null
          ? filled
          : filled.map((word) => (word.value === null && word.text === '{}' ? { ...word, like } : word))
      const fed = program === 'fd' && !run.some((word) => word.value === null) ? [...run, unknownWord('{}')] : run
      inner.push({
        kind: 'words',
        label: `${program} ${joined === null ? action : '--exec'}`,
        words: fed,
        elsewhere: action.endsWith('dir'),
      })
    }
    at = end
  }
  return inner
}

/** A pattern for all files that `find` lists: one start, one name, and no test that could widen it. */
function filterOf(before: readonly ShellWord[]): string | null {
  const values = before.map(({ value }) => value)
  if (values.some((value) => value === null || /^(?:!|-not|-o|-or|,|\(|-H|-L|-follow|-exec.*|-ok.*)$/.test(value)))
    return null
  const first = values.findIndex((value) => value?.startsWith('-') === true)
  const names = values.flatMap((value, at) => (value === '-name' || value === '-iname' ? [values[at + 1] ?? ''] : []))
  if (first === -1 || first > 1 || names.length !== 1 || /^[/~]/.test(values[0] ?? '')) return null
  return `${first === 0 ? '.' : values[0]}/*/${names[0]}`
}

/** `+` ends an action only right after `{}`. */
function endsWithPlus(args: readonly ShellWord[], at: number): boolean {
  return args[at]?.value === '+' && args[at - 1]?.value === '{}'
}

const PARALLEL_VALUE_OPTIONS = shellNames('parallel_value_options')

/** How many inputs of `parallel` are read one by one. */
const MAX_INPUTS = 8
/** A word that needs no quotes in code. */
const isPlain = ({ value }: ShellWord) => value !== null && /^[\w./*?~@%+:-]{1,200}$/.test(value)

const PLACEHOLDER = /\{[^{}\s]{0,16}\}/g

/** What GNU `parallel` runs: its words as shell code, or each argument when it has none. */
export function parallelCommands(args: readonly ShellWord[]): readonly Inner[] {
  let at = 0
  while (at < args.length) {
    const value = args[at]?.value
    if (value === null || value === undefined || !value.startsWith('-')) break
    at += PARALLEL_VALUE_OPTIONS.has(value) ? 2 : 1
  }
  const lists = args.findIndex((word, index) => index >= at && /^:::?:?\+?$/.test(word.value ?? ''))
  const words = args.slice(at, lists === -1 ? undefined : lists)
  if (words.length > 0) {
    // `parallel` quotes its inputs: they are unknown words, not unknown code.
    const code = words.map(({ template }) => template.replace(PLACEHOLDER, '$$_')).join(' ')
    const filled = words.some(({ template }) => template.search(PLACEHOLDER) !== -1)
    const known = words.every(({ value }) => value !== null)
    const inputs = lists === -1 ? [] : args.slice(lists + 1)
    if (
      known &&
      args[lists]?.value === ':::' &&
      inputs.length > 0 &&
      inputs.length <= MAX_INPUTS &&
      inputs.every(isPlain)
    )
      return inputs.map((word) => {
        const text = words.map(({ template }) => template.replaceAll('{}', word.value ?? '')).join(' ')
        const whole = words.some(({ template }) => template.includes('{}')) ? text : `${text} ${word.value}`
        return { kind: 'code', label: 'parallel', text: whole.replace(PLACEHOLDER, '$$_'), known }
      })
    return [{ kind: 'code', label: 'parallel', text: filled ? code : `${code} $_`, known }]
  }
  if (lists === -1 || args[lists]?.value?.startsWith('::::')) {
    return [{ kind: 'unknown', message: 'runs commands read from its input' }]
  }
  return args.slice(lists + 1).map((word) => joinedCode('parallel', [word]))
}

const REPLACES: ReadonlySet<string> = new Set(['-I', '-J', '--replace', '-i'])
/** How many lines of known input are read one by one. */
const MAX_LINES = 8

/** What `xargs` runs: its input replaces the placeholder, or is appended. */
export function xargsCommands(args: readonly ShellWord[], input: Input): readonly Inner[] {
  const options = stepOverOptions(args, 0, shellKnowledge().wrappers['xargs'] ?? {})
  const words = args.slice(options.next)
  if (words.length === 0) return []
  const run = (list: readonly ShellWord[]): Inner => ({ kind: 'words', label: 'xargs', words: list })
  const placeholder = placeholderOf(args, options.found)
  const text = input.kind === 'text' && input.known && input.text.length < 4096 ? input.text : null
  if (placeholder === null)
    return [
      run([...words, ...(text === null ? [unknownWord('…')] : text.split(/\s+/, 64).filter(Boolean).map(literalWord))]),
    ]
  const lines = text === null ? [] : text.split('\n').filter((line) => line !== '')
  if (lines.length === 0 || lines.length > MAX_LINES) return [run(withPlaceholder(words, placeholder))]
  return lines.map((line) => run(words.map((word) => filledIn(word, placeholder, line))))
}

function placeholderOf(args: readonly ShellWord[], found: Options['found']): string | null {
  const option = found.find(({ name }) => REPLACES.has(name))
  if (option === undefined) return null
  const given = option.value === null ? '{}' : (args[option.value.at]?.value?.slice(option.value.from) ?? '{}')
  return given === '' ? '{}' : given
}

function filledIn(word: ShellWord, placeholder: string, line: string): ShellWord {
  if (word.value?.includes(placeholder) !== true) return word
  return literalWord(word.value.split(placeholder).join(line))
}
