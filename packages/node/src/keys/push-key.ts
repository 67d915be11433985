import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Home } from '../home/home.ts'
import { keyPath, readOrCreate } from './home-keys.ts'
import { damagedKey, decodeBase64, type KeyFile, keyIdOf } from './key-file.ts'

/** The key by which push services know this home (VAPID, RFC 8292). */
export interface PushKey {
  readonly privateKey: KeyObject
  /** The uncompressed P-256 point, 65 bytes: browsers bind their subscription to it. */
  readonly publicKey: Buffer
}

/** The home's push key, made when it is first needed. A new one ends every subscription. */
export function openPushKey(home: Home): PushKey {
  return readOrCreate(keyPath(home, 'push.key'), 'push', openKey, makeKey)
}

function makeKey(): KeyFile {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { d = '', x = '', y = '' } = privateKey.export({ format: 'jwk' })
  const point = pointOf(x, y)
  return { v: 1, kind: 'push', id: keyIdOf(point), point: point.toString('base64'), secret: plainBase64(d) }
}

function openKey(path: string, file: KeyFile): PushKey {
  const publicKey = decodeBase64(file['point'], 65)
  const secret = decodeBase64(file['secret'], 32)
  if (publicKey === undefined || secret === undefined || keyIdOf(publicKey) !== file.id) throw damagedKey(path)
  const [x, y] = [publicKey.subarray(1, 33), publicKey.subarray(33)].map((part) => part.toString('base64url'))
  const key = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: secret.toString('base64url') }
  try {
    return { privateKey: createPrivateKey({ key, format: 'jwk' }), publicKey }
  } catch {
    throw damagedKey(path)
  }
}

function pointOf(x: string, y: string): Buffer {
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

function plainBase64(url: string): string {
  return Buffer.from(url, 'base64url').toString('base64')
}
