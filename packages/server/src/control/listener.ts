import type { Socket } from 'node:net'
import { CountersignError } from '@countersign/core'
import { type ControlAnswer, type ControlLine, createLineReader } from '@countersign/node'
import { wordsOf } from '../wire/public-error.ts'
import { type Listener, listenSocket } from '../wire/socket-listener.ts'

const MAX_LINE = 4_096
const PATIENCE_MS = 5_000

/**
 * The owner's own way in: status, a sign-in ticket, signing out, stop. Its socket lies in the home, mode 0600: whoever can open it
 * can read the keys as well, so the socket adds no access.
 */
export function listenControl(path: string, answer: (line: ControlLine) => Promise<ControlAnswer>): Promise<Listener> {
  return listenSocket(path, (socket) => serveOwner(socket, answer))
}

async function serveOwner(socket: Socket, answer: (line: ControlLine) => Promise<ControlAnswer>): Promise<void> {
  const read = createLineReader(MAX_LINE)
  socket.setTimeout(PATIENCE_MS, () => socket.destroy())
  socket.on('error', () => {})
  for await (const chunk of socket) {
    for (const text of read(chunk)) {
      const said = await readControl(text, answer).catch((error: unknown) => ({ error: wordsOf(error) }))
      socket.write(`${JSON.stringify(said)}\n`)
    }
  }
}

async function readControl(
  text: string,
  answer: (line: ControlLine) => Promise<ControlAnswer>,
): Promise<ControlAnswer> {
  const line: unknown = JSON.parse(text)
  const { do: wanted, approver } = (typeof line === 'object' && line !== null ? line : {}) as Record<string, unknown>
  if (wanted === 'status' || wanted === 'ticket' || wanted === 'stop') return answer({ do: wanted })
  if (wanted === 'sign-out' && approver === undefined) return answer({ do: wanted })
  if (wanted === 'sign-out' && typeof approver === 'string') return answer({ do: wanted, approver })
  throw new CountersignError(
    'CS_PROTOCOL',
    'the service’s owner can ask for status, ticket, sign-out and stop; nothing else',
  )
}
