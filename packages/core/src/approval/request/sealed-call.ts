import type { Call } from '../../call/call.ts'
import type { Json } from '../../call/json/json.ts'
import { CountersignError } from '../../errors.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { StoredCall } from '../../ports/store.ts'
import type { HeldCallView } from './view.ts'
import { viewJson } from './view.ts'

/** What a held row keeps sealed: the call to judge again after a restart, and the view that surfaces show. */
interface SealedCall {
  readonly given: Call
  readonly session: string | null
  /** null for a call that needs nobody: it was submitted, and waits only for its caller. */
  readonly view: HeldCallView | null
  /** SECURITY: A3 the row's own deadline can be edited; this one cannot. */
  readonly expiresAt: number
  /** How long the journal was before the call was opened: if it was ever started, that stands behind it. */
  readonly after: number
}

export function sealCall(id: string, content: SealedCall, crypto: Crypto): Uint8Array {
  const { view, ...rest } = content
  const text = JSON.stringify({ id, ...rest })
  return crypto.seal(`${text.slice(0, -1)},"view":${view === null ? 'null' : viewJson(view)}}`)
}

/** SECURITY: A3 a row whose seal is broken, or was moved here from another call, cannot be opened. */
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

/** A frozen call's input as plain data, so that it can be judged again. */
export function plainCall(given: Call, args: Json, id: string): Call {
  const { describe: _describe, preview: _preview, ...plain } = given
  return { ...plain, args, id }
}
