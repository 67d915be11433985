import { shellKnowledge } from '../../knowledge/shell.ts'
import type { Input } from '../expansion/standard-input.ts'
import { literalWord, type ShellWord, unknownWord } from '../expansion/words.ts'
import { type Options, stepOverOptions } from '../programs/option-parser.ts'
import { type Inner, withPlaceholder } from './nested-command.ts'

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
