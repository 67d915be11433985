import { pythonTokens } from '../../command/code/whole/python-tokens.ts'
import type { RunnerInput } from '../reading/runner.ts'
import type { FoundTests } from './unit-tests.ts'
import type { StartCode } from './whole-code.ts'

/** The examples in text files, for `python3 -m doctest`. */
export async function docTests(
  words: readonly string[],
  roots: readonly string[],
  { folder, reader }: RunnerInput,
): Promise<FoundTests> {
  const starts: StartCode[] = []
  for (const word of words.filter((one) => !/^(?:-[vf]|--verbose|--fail-fast)$/.test(one))) {
    if (word.startsWith('-')) return { kind: 'unclear', why: `\`${word.slice(0, 40)}\` may load other code` }
    const reading = await reader.read(word, folder)
    if (reading.kind !== 'file') return { kind: 'unclear', why: `\`${word.slice(0, 80)}\` can’t be read` }
    // The examples in code may be computed: `f.__doc__ = …`, `property(doc=…)`, escapes in a string.
    if (word.endsWith('.py')) return { kind: 'unclear', why: `\`${reading.shown}\` may have computed examples` }
    // Python ends lines in more places.
    if (/[\r\v\f\x1c-\x1e\x85\u2028\u2029]/.test(reading.text))
      return { kind: 'unclear', why: `\`${reading.shown}\` has unusual line endings` }
    const examples = examplesIn(reading.text)
    // Each example is read on its own: an open string in one of them must not hide the next.
    const odd = examples.some((text) => !isReadable(text))
    if (odd) return { kind: 'unclear', why: `\`${reading.shown}\` has unusual examples` }
    starts.push({ text: examples.join('\n'), file: null })
  }
  return { kind: 'found', starts, roots, cached: false }
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
