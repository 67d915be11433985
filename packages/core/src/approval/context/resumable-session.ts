import type { Crypto } from '../../ports/crypto.ts'

const PREFIX = 'resumable-'
const ID_LENGTH = 40

/** How long a held or started call waits for an asker who can come back, after its connection broke or its gate died. */
export const RETURN_MS = 30_000

/**
 * The id of a session that its asker can take up again, also at another gate on the store: whoever has its secret. SECURITY:
 * A10 the secret can't be told from the id, and is worth nothing in another workspace.
 */
export function resumableSessionId(secret: string, workspace: string, crypto: Pick<Crypto, 'keyedHash'>): string {
  return `${PREFIX}${crypto.keyedHash(`countersign/session/v1\n${workspace}\n${secret}`).slice(0, ID_LENGTH)}`
}

/** Whether the asker of a session can come back. */
export function isResumable(session: string | null): boolean {
  return session?.startsWith(PREFIX) === true
}
