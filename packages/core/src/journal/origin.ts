import type { Signer } from '../ports/crypto.ts'

/** The name of a journal in its checkpoints: one key signs one journal, so the key names it. */
export function journalOrigin(signer: Pick<Signer, 'keyId'>): string {
  return `countersign/${signer.keyId}`
}
