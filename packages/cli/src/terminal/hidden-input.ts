import { decodeKeys, editText } from '@countersign/terminal/card'
import type { Terminal } from './controlling-terminal.ts'

/** One more than the maximum, to detect passphrases that are too long. */
const LONGEST = 1_025
const ENDS: ReadonlySet<string> = new Set(['enter', 'escape', 'interrupt'])

/**
 * Asks for a line without showing it or its length, and returns the result of `take`. Null on Esc, Ctrl-C, or if the
 * terminal closes. SECURITY: raw mode starts before the question and ends after `take`, so the terminal echoes nothing.
 */
export function askHidden<T>(terminal: Terminal, ask: string, take: (text: string) => T): Promise<T | null> {
  return new Promise((resolve, reject) => {
    let text = ''
    const stop = terminal.listen(hear, () => end(() => null))
    terminal.write(ask)

    function hear(chunk: string): void {
      for (const key of decodeKeys(chunk)) {
        if (ENDS.has(key.kind)) {
          end(() => (key.kind === 'enter' ? take(text) : null))
          return // ignore the rest of the chunk
        }
        text = editText(text, key, LONGEST) ?? text
      }
    }

    function end(answer: () => T | null): void {
      terminal.write('\n')
      try {
        resolve(answer())
      } catch (error) {
        reject(error)
      } finally {
        stop()
      }
    }
  })
}
