import type { IncomingMessage } from 'node:http'

const MAX_BYTES = 65_536
const LONGEST_MS = 30_000

/**
 * Lets go of a body that nobody wants. A short one is read to its end, so that its connection can be used again. INVARIANT:
 * L10, one that does not come to an end is left: nobody reads for ever what goes nowhere.
 */
export function dropBody(answer: IncomingMessage): void {
  let size = 0
  const timer = setTimeout(() => answer.destroy(), LONGEST_MS).unref()
  answer.on('close', () => clearTimeout(timer))
  answer.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_BYTES) answer.destroy()
  })
}
