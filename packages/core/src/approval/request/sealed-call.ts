import type { Call } from '../../call/call.ts'
import type { Json } from '../../call/json/json.ts'
import { CountersignError } from '../../errors.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { StoredCall } from '../../ports/store.ts'
import type { HeldCallView } from './view.ts'
import { viewJson } from './view.ts'

/** The sealed content of a row: the call to judge again after a restart, and the view that surfaces show. */
interface SealedCall {
  readonly given: Call
  readonly session: string | null
  /** null for a submitted call that needs nobody and waits only for its caller. */
  readonly view: HeldCallView | null
  /** SECURITY: A3 the row's own deadline can be edited; this one cannot. */
  readonly expiresAt: number
  /** The size of the journal before the call was opened: its start, if any, is a later entry. */
  readonly after: number
  /** Its coding agent asked its own person about it. */
  readonly agentPrompt?: true
}

/** Seals the content of a row. */
export function sealCall(id: string, content: SealedCall, crypto: Crypto): Uint8Array {
  const { view, ...rest } = content
  const text = JSON.stringify({ id, ...rest })
  return crypto.seal(`${text.slice(0, -1)},"view":${view === null ? 'null' : viewJson(view)}}`)
}

/** Opens a row. SECURITY: A3 throws when the seal is broken or belongs to another call. */
export function openSealed(row: StoredCall, crypto: Crypto): SealedCall {
  if (row.sealed === null)
    throw new CountersignError('CS_DECISION_LATE', `call \`${row.id}\` is closed; nothing is left to show`)
  const content = JSON.parse(crypto.unseal(row.sealed)) as SealedCall & { readonly id: string }
  if (content.id !== row.id) {
    throw new CountersignError(
      'CS_STORE_SEAL',
      `the row of call \`${row.id}\` belongs to another call; reject it and run \`countersign journal verify\``,
    )
  }
  return content
}

/** A call as plain data, without what is in process only, so that it can be judged again. */
export function plainCall(given: Call, args: Json, id: string): Call {
  const { describe: _describe, preview: _preview, restores: _restores, ...plain } = given
  return { ...plain, args, id }
}
