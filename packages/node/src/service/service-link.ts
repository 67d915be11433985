import { CountersignError } from '@countersign/core'
import type { Held, ServiceConnection, Unnumbered } from './connection.ts'
import type { ServiceLine } from './wire-protocol.ts'

/** How one call is asked for. */
export interface AskOptions {
  readonly signal?: AbortSignal
  /** Told once when the call waits for a person. */
  readonly onHeld?: (held: Held) => void
}

/** How lines reach a service: over one connection, or over several in turn. */
export interface ServiceLink {
  readonly session: string
  /** Sends a line and waits for its answer. An abort takes it back. Rejects with a CountersignError. */
  exchange(line: Unnumbered, about?: AskOptions): Promise<ServiceLine>
  close(): void
}

/** A link that ends with its connection. */
export function linkOf(connection: ServiceConnection): ServiceLink {
  return {
    session: connection.hello.session,
    exchange: (line, about) => exchangeOver(connection, line, about),
    close: () => connection.end(closedError()),
  }
}

/** Sends a line over one connection and waits for its answer. */
export async function exchangeOver(
  connection: ServiceConnection,
  line: Unnumbered,
  { signal, onHeld }: AskOptions = {},
): Promise<ServiceLine> {
  const { id, answer } = connection.send(line, onHeld, 'call' in line ? line.call.timeoutMs : undefined)
  if (line.do !== 'ask' && line.do !== 'wait') return answer
  const cancel = () => {
    if (connection.lost === undefined) connection.send({ do: 'cancel', of: id }).answer.catch(() => {})
  }
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await answer
  } catch (error) {
    cancel() // an answer that did not come is taken back
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

/** The error of a connection that this side closed. */
export function closedError(): CountersignError {
  return new CountersignError('CS_SERVICE_GONE', 'the connection was closed; connect again')
}
