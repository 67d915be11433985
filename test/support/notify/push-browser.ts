import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { Received } from './receiver.ts'

/** The browser's end of Web Push, written independently of the sender: its keys, and how it reads a message. */
export interface PushBrowser {
  readonly p256dh: string
  readonly auth: string
  /** Decrypts a message (RFC 8291); throws if it was not made for this browser. */
  read(message: Buffer): string
}

export function openPushBrowser(): PushBrowser {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const auth = randomBytes(16)
  return {
    p256dh: own.getPublicKey('base64url'),
    auth: auth.toString('base64url'),
    read(message) {
      const salt = message.subarray(0, 16)
      const recordSize = message.readUInt32BE(16)
      const keyLength = message.readUInt8(20)
      const sender = message.subarray(21, 21 + keyLength)
      const sealed = message.subarray(21 + keyLength)
      if (sealed.length > recordSize) throw new Error('more than one record')
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender])
      const secret = Buffer.from(hkdfSync('sha256', own.computeSecret(sender), auth, info, 32))
      const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
      const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
      const cipher = createDecipheriv('aes-128-gcm', key, nonce)
      cipher.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
      const end = padded.findLastIndex((byte) => byte !== 0)
      if (padded[end] !== 2) throw new Error('not a last record')
      return padded.subarray(0, end).toString()
    },
  }
}

/** What a push service checks of a request (RFC 8292). Throws if the signature is wrong. */
export function verifyVapid({ headers }: Pick<Received, 'headers'>): {
  readonly publicKey: string
  readonly aud: string
  readonly exp: number
  readonly sub: string
} {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const given = { key, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', signed, given, Buffer.from(signature, 'base64url'))) throw new Error('the signature is wrong')
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { readonly alg: string }
  if (alg !== 'ES256') throw new Error(`the algorithm is ${alg}`)
  return {
    publicKey,
    ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number; sub: string }),
  }
}
