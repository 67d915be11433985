import { createInterface } from 'node:readline/promises'
import type { Io } from '../terminal/io.ts'
import { say } from '../terminal/io.ts'

/** Questions to a person, one after the other. */
export interface Questions {
  /** Whether the person types `yes`. Pressing Enter does not confirm. */
  isYes(question: string): Promise<boolean>
  close(): void
}

/** Null without a terminal to ask on. */
export function openQuestions(io: Io): Questions | null {
  if (!io.isTty.stdin || !io.isTty.stderr) return null
  const terminal = createInterface({ input: io.stdin, output: io.stderr, terminal: false })
  const lines = terminal[Symbol.asyncIterator]()
  return {
    async isYes(question) {
      say(io)
      io.stderr.write(`${question} Type yes: `)
      const { value, done } = await lines.next()
      return done !== true && value.trim() === 'yes'
    },
    close: () => terminal.close(),
  }
}
