import { pythonTokens } from '../../command/code/whole/python-tokens.ts'
import type { RunnerInput } from '../reading/runner.ts'
import type { FoundTests } from './unit-tests.ts'
import type { StartCode } from './whole-code.ts'

/** What `python3 -m doctest notes.txt` runs: the examples in the files, and Python files themselves. */
export async function docTests(
  words: readonly string[],
  roots: readonly string[],
  { folder, reader }: RunnerInput,
): Promise<FoundTests> {
  const starts: StartCode[] = []
  const folders = new Set(roots)
  let cached = false
  for (const word of words.filter((one) => !/^(?:-[vf]|--verbose|--fail-fast)$/.test(one))) {
    if (word.startsWith('-')) return { kind: 'unclear', why: `\`${word.slice(0, 40)}\` may load other code` }
    const reading = await reader.read(word, folder)
    if (reading.kind !== 'file') return { kind: 'unclear', why: `\`${word.slice(0, 80)}\` can’t be read` }
    const examples = examplesIn(reading.text)
    // Each example is read on its own: an open string in one of them must not hide the next.
    const odd = examples.some((text) => !isReadable(text))
    if (odd) return { kind: 'unclear', why: `\`${reading.shown}\` has unusual examples` }
    starts.push({ text: examples.join('\n'), file: null })
    if (!word.endsWith('.py')) continue
    const beside = reading.real.slice(0, reading.real.lastIndexOf('/'))
    const names = await reader.names('.', beside)
    if (names === null || names.some((name) => /\.(?:so|pyd|pyc)$/.test(name)))
      return { kind: 'unclear', why: `\`${reading.shown}\` may be compiled` }
    cached ||= names.some((name) => name.startsWith('__pycache__'))
    folders.add(beside)
    starts.push({ text: reading.text, file: reading })
  }
  return { kind: 'found', starts, roots: [...folders], cached }
}

function isReadable(example: string): boolean {
  try {
    return pythonTokens(example).length > 0
  } catch {
    return false
  }
}

/** The code after `>>>` and `...`, one text for each example. */
function examplesIn(text: string): readonly string[] {
  const examples: string[] = []
  for (const line of text.split('\n')) {
    const [, sign, code = ''] = /^\s*(>>>|\.\.\.)(.*)$/.exec(line) ?? []
    if (sign === '>>>') examples.push(code.trim())
    else if (sign === '...') examples.push(`${examples.pop() ?? ''}\n${code.replace(/^ /, '')}`)
  }
  return examples
}
