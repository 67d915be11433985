import type { IncomingMessage } from 'node:http'
import { discardBody } from '../messages/read-body.ts'
import type { CancelHandle } from './upstream.ts'

/** Sends one request, with this token or none. */
type Send = (token: string | null) => Promise<IncomingMessage>

/**
 * Sends a request with the stored token; if the server refuses it, once more with another, if there is one. INVARIANT:
 * L1, this is not a second execution. A 401 means that the request was not carried out for lack of valid credentials
 * (RFC 9110, 15.5.2): the first attempt ran nothing, the permit was consumed before it, and the same bytes are sent
 * again. It happens after no other status, never after a response started or a connection broke, and at most once. A
 * server that runs a call and answers 401 lies; it could as well run it twice by itself.
 */
export async function sendAuthorized(
  send: Send,
  bearer: Bearer,
  waiting: CancelHandle | AbortSignal | undefined,
  tell: (answer: IncomingMessage, advice: string) => void,
): Promise<IncomingMessage> {
  const first = bearer.current()
  const token = first instanceof Promise ? await unlessLeft(first, waiting) : first
  const answer = await send(token)
  if (answer.statusCode !== 401) return told(answer, token, bearer, tell)
  const end = (): void => void answer.destroy()
  const other = await unlessLeft(bearer.replacement(token), waiting, end)
  if (other === null) return told(answer, token, bearer, tell)
  discardBody(answer)
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
    bearer.accepted(token)
    if (answer.statusCode === 403 && isScopeError(answer)) tell(answer, bearer.scopeAdvice(wantedScope(answer)))
  }
  return answer
}

function isScopeError({ headers }: IncomingMessage): boolean {
  return headers['www-authenticate']?.includes('insufficient_scope') === true
}

/** The scope that the server requires. SECURITY: A20 people paste it into a shell, so only plain characters are kept. */
function wantedScope({ headers }: IncomingMessage): string | null {
  const [, quoted, bare] = SCOPE.exec(headers['www-authenticate'] ?? '') ?? []
  const scope = quoted ?? bare ?? ''
  return /^[\w.:/+@~=-]+(?: [\w.:/+@~=-]+)*$/.test(scope) ? scope : null
}

const SCOPE = /(?:^|[\s,])scope[ \t]{0,8}=[ \t]{0,8}(?:"([^"]{1,512})"|([^\s,"]{1,512}))/i

/** INVARIANT: nothing is sent once the caller has left. */
async function unlessLeft<T>(
  work: Promise<T>,
  waiting: CancelHandle | AbortSignal | undefined,
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

/** The bearer token for one server. */
export interface Bearer {
  /**
   * The token for the next request; null when nobody signed in. INVARIANT: throws when somebody did and the token
   * cannot be used: a call approved for a signed-in person must not be sent anonymously.
   */
  current(): string | null | Promise<string | null>
  /** The same without network access; undefined when that would be needed, or fail. */
  cached(): string | null | undefined
  /** After a refusal: another token to try, or null. Never throws; `advice` explains. */
  replacement(refused: string | null): Promise<string | null>
  /** The server accepted this token. */
  accepted(token: string): void
  /** One line of advice after a refusal. */
  advice(): string
  /** Advice when the scope is insufficient. */
  scopeAdvice(wanted: string | null): string
}
