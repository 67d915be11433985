import { sign } from 'node:crypto'
import type { PushKey } from '@countersign/node'

/** Push services refuse tokens for longer than a day. */
const TOKEN_MS = 12 * 3_600_000

/** The `Authorization` header by which a push service knows this home (RFC 8292): valid for one service, for half a day. */
export function vapidHeader(endpoint: URL, contact: string, { privateKey, publicKey }: PushKey, now: number): string {
  const claims = { aud: endpoint.origin, exp: Math.floor((now + TOKEN_MS) / 1_000), sub: contact }
  const signed = [{ typ: 'JWT', alg: 'ES256' }, claims].map((part) => base64url(JSON.stringify(part))).join('.')
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey.toString('base64url')}`
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
