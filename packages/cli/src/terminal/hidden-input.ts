import { decodeKeys, editText } from '@countersign/terminal/card'
import type { Terminal } from './controlling-terminal.ts'

/** One more than any passphrase may have, so that a longer one is told from one that fits. */
const LONGEST = 1_025
const ENDS: ReadonlySet<string> = new Set(['enter', 'escape', 'interrupt'])

/**
 * Asks for a line on the terminal without showing any of it, not even its length, and gives what `take` makes of it.
 * Null when the person leaves instead: Esc, Ctrl-C, or the terminal went away.
 * SECURITY: keys are raw before the question stands there and until `take` is done, so that the terminal echoes none.
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
          return // what follows in the same chunk was not asked for
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
