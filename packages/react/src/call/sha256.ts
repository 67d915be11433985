import { sha256 as hash } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** SHA-256 in lower-case hex, at once: what is shown must be compared before it is drawn, and WebCrypto only promises. */
export function sha256(data: string | Uint8Array): string {
  return bytesToHex(hash(typeof data === 'string' ? utf8ToBytes(data) : data))
}
