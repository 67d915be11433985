import type { IncomingMessage } from 'node:http'
import { dropBody } from '../messages/discard-body.ts'
import type { Bearer } from './bearer-token.ts'
import type { LeavingRoom } from './upstream.ts'

/** Sends one request, with this token or without any. */
export type Send = (token: string | null) => Promise<IncomingMessage>

/**
 * Sends a request with the token that is kept; when the server refuses that one, once more with another, if there is one.
 *
 * INVARIANT: L1, this is no second execution. A 401 says that the request was not carried out for want of a valid credential
 * (RFC 9110, 15.5.2): what was sent first ran nothing, the permit was spent once, before it, and what is sent now is the
 * same bytes, in the same request as far as the gate and the client know. It happens after no other status, never after
 * an answer was begun or a connection lost, and never twice. A server that runs a call and answers 401 lies; it
 * could as well run it twice by itself.
 */
export async function sendSigned(
  send: Send,
  bearer: Bearer,
  waiting: LeavingRoom | AbortSignal | undefined,
  tell: (answer: IncomingMessage, advice: string) => void,
): Promise<IncomingMessage> {
  const first = bearer.current()
  const token = first instanceof Promise ? await unlessLeft(first, waiting) : first
  const answer = await send(token)
  if (answer.statusCode !== 401) return told(answer, token, bearer, tell)
  const end = (): void => void answer.destroy()
  const other = await unlessLeft(bearer.another(token), waiting, end)
  if (other === null) return told(answer, token, bearer, tell)
  dropBody(answer)
  return told(await send(other), other, bearer, tell)
}

function told(
  answer: IncomingMessage,
  token: string | null,
  bearer: Bearer,
  tell: (answer: IncomingMessage, advice: string) => void,
): IncomingMessage {
  if (answer.statusCode === 401) tell(answer, bearer.advice())
  else if (token !== null) {
    bearer.taken(token)
    if (answer.statusCode === 403 && isNarrow(answer)) tell(answer, bearer.narrow(wantedScope(answer)))
  }
  return answer
}

function isNarrow({ headers }: IncomingMessage): boolean {
  return headers['www-authenticate']?.includes('insufficient_scope') === true
}

/** What the server says it wants. SECURITY: A20 people copy it into a shell, so only what is plain there. */
function wantedScope({ headers }: IncomingMessage): string | null {
  const [, quoted, bare] = SCOPE.exec(headers['www-authenticate'] ?? '') ?? []
  const scope = quoted ?? bare ?? ''
  return /^[\w.:/+@~=-]+(?: [\w.:/+@~=-]+)*$/.test(scope) ? scope : null
}

const SCOPE = /(?:^|[\s,])scope[ \t]{0,8}=[ \t]{0,8}(?:"([^"]{1,512})"|([^\s,"]{1,512}))/i

/** INVARIANT: what nobody waits for any more is not sent: whoever leaves meanwhile has left for good. */
async function unlessLeft<T>(
  work: Promise<T>,
  waiting: LeavingRoom | AbortSignal | undefined,
  end = (): void => {},
): Promise<T> {
  if (waiting === undefined) return work
  let isLeft = false
  const { promise: left, reject } = Promise.withResolvers<never>()
  const leave = (): void => {
    isLeft = true
    end()
    reject(new Error('nobody waits for it any more'))
  }
  if (waiting instanceof AbortSignal) {
    waiting.addEventListener('abort', leave, { once: true })
    if (waiting.aborted) leave()
  } else waiting.leave = leave
  try {
    const done = await Promise.race([work, left])
    if (isLeft) return await left
    return done
  } finally {
    if (waiting instanceof AbortSignal) waiting.removeEventListener('abort', leave)
  }
}
