import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'

/** What a browser gave for its messages: its public key, and a secret that the push service does not know. */
export interface PushKeys {
  /** Uncompressed P-256 point, 65 bytes. */
  readonly p256dh: Buffer
  /** 16 bytes. */
  readonly auth: Buffer
}

/** One record holds the whole message, whose header names this size. */
const RECORD_BYTES = 4_096
/** The largest message that fits: a record without its tag, its delimiter and the header. */
export const MOST_PLAIN_BYTES = RECORD_BYTES - 16 - 1 - 86
/** Every message is padded to a multiple, so that its length reveals less. */
const PAD_BYTES = 256

/** Fresh randomness of one message; the standard's example fixes it. */
export interface MessageSecrets {
  readonly sender: ECDH
  readonly salt: Buffer
}

/** Encrypts a message for one browser: RFC 8291 with `aes128gcm` of RFC 8188. The push service cannot read it. */
export function encryptPush(text: string, keys: PushKeys, fresh = makeSecrets(), padTo = PAD_BYTES): Buffer {
  const { sender, salt } = fresh
  const own = sender.getPublicKey()
  const shared = sender.computeSecret(keys.p256dh)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.p256dh, own])
  const secret = derive(shared, keys.auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(padded(text, padTo)), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([salt, uint32(RECORD_BYTES), Buffer.from([own.length]), own, sealed])
}

function makeSecrets(): MessageSecrets {
  const sender = createECDH('prime256v1')
  sender.generateKeys()
  return { sender, salt: randomBytes(16) }
}

/** The message, the delimiter of a last record, and zeros. */
function padded(text: string, multiple: number): Buffer {
  const bytes = Buffer.from(text)
  const length = Math.min(Math.ceil((bytes.length + 1) / multiple) * multiple, MOST_PLAIN_BYTES + 1)
  return Buffer.concat([bytes, Buffer.from([2]), Buffer.alloc(Math.max(0, length - bytes.length - 1))])
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
