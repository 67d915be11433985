import { createHash } from 'node:crypto'
import type { Crypto } from '@countersign/core'

/** Hashes without a home; everything else is refused. */
export const crypto: Crypto = {
  sha256: (data) => createHash('sha256').update(data).digest('hex'),
  sha256Bytes: (data) => createHash('sha256').update(data).digest(),
  keyedHash: refuse,
  randomId: refuse,
  verify: refuse,
  seal: refuse,
  unseal: refuse,
}

function refuse(): never {
  throw new Error('only hashes are needed here')
}
