/** Something that stands before a server, or the server itself; with a client that has shaken hands. */
export interface McpContender {
  readonly name: string
  /** The process in the middle; undefined for the server itself. */
  readonly pid: number | undefined
  /** From starting it to the answer to the first words. */
  readonly startMs: number
  /** Asks for a tool once, and reads the whole answer without looking into it. */
  call(args: CallArgs, tool?: Tool): Promise<void>
  close(): Promise<void>
}

/** Text to say again, or how much of it. */
export type CallArgs = { readonly message: string } | { readonly size: number }

/** A reader, whose calls are of low risk; and a tool that could be anything, whose calls are flushed to the disk first. */
export type Tool = 'read_text' | 'process_text'

/** A call that was refused would be a quick one: throws unless the answer has in it what was asked for. */
export function checkAnswer(name: string, answer: string): void {
  if (!answer.includes('is it there?')) throw new Error(`${name} did not run the call: ${answer.slice(0, 500)}`)
}

/** What a client of the older protocol says first. */
export const FIRST_WORDS = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
}
