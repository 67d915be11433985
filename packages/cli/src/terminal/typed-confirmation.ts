import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { CountersignError } from '@countersign/core'
import { type Io, say } from './io.ts'

/**
 * Asks a person to type a word, on a terminal only: pressing Enter or piping input does not confirm.
 * INVARIANT: L8 no flag confirms an action that loosens the gate.
 */
export async function isTyped(word: string, question: string, io: Io, otherwise: string): Promise<boolean> {
  if (!io.isTty.stdin || !io.isTty.stderr) throw new CountersignError('CS_NO_INTERFACE', otherwise)
  say(io)
  const terminal = createInterface({ input: io.stdin, output: io.stderr, terminal: false })
  try {
    const gone = once(terminal, 'close').then(() => '') // end of input counts as no
    return (await Promise.race([terminal.question(question), gone])).trim() === word
  } finally {
    terminal.close()
  }
}
