/** A proxy in front of a server, or the server alone, with an initialized client. */
export interface McpContender {
  readonly name: string
  /** The process of the proxy; undefined for the server alone. */
  readonly pid: number | undefined
  /** From starting it to the `initialize` response. */
  readonly startMs: number
  /** Calls a tool once, and reads the whole response without parsing it. */
  call(args: CallArgs, tool?: Tool): Promise<void>
  close(): Promise<void>
}

/** Text to echo, or the size of the result. */
export type CallArgs = { readonly message: string } | { readonly size: number }

/** A reader with calls of low risk, and a tool that could do anything, whose calls are synced to disk first. */
export type Tool = 'read_text' | 'process_text'

/** A refused call would be fast: throws unless the response contains the expected text. */
export function checkAnswer(name: string, answer: string): void {
  if (!answer.includes('is it there?')) throw new Error(`${name} did not run the call: ${answer.slice(0, 500)}`)
}

/** The `initialize` request of a client of the older protocol version. */
export const FIRST_WORDS = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
}
