import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Seals the ids of held calls into states for one client. SECURITY: A9 each opens once, in time, for the very call it was made for. */
export interface Seals {
  seal(callId: string, digest: string): string
  /** The call that is held. Null when it was not sealed here, for another call, too long ago, or opened before. */
  open(text: string, digest: string): string | null
}

/** What our states begin with. */
export const PREFIX = 'countersign1.'

/** INVARIANT: L10. Past it the oldest opens no more. */
const MOST_SEALED = 256
const LIFE_MS = 60 * 60_000
const LONGEST = 1024 * 1024

export function createSeals(now: () => number): Seals {
  const key = randomBytes(32)
  const sealed = new Map<string, number>()
  const sign = (body: string, digest: string): Buffer => createHmac('sha256', key).update(`${body}\n${digest}`).digest()

  return {
    seal(callId, digest) {
      const nonce = randomBytes(12).toString('base64url')
      const oldest = sealed.size >= MOST_SEALED ? sealed.keys().next().value : undefined
      if (oldest !== undefined) sealed.delete(oldest)
      sealed.set(nonce, now() + LIFE_MS)
      const body = Buffer.from(JSON.stringify([nonce, callId])).toString('base64url')
      return `${PREFIX}${body}.${sign(body, digest).toString('base64url')}`
    },
    open(text, digest) {
      const [body = '', tag = '', ...more] = text.length > LONGEST ? [] : text.slice(PREFIX.length).split('.')
      const expected = sign(body, digest)
      const given = Buffer.from(tag, 'base64url')
      if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      const [nonce, callId] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [string, string]
      const until = sealed.get(nonce)
      sealed.delete(nonce)
      return until === undefined || until < now() ? null : callId
    },
  }
}
