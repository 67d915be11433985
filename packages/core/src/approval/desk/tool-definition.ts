import { canonicalJson } from '../../call/json/canonical.ts'
import { freezeJson } from '../../call/json/freeze.ts'
import type { Json } from '../../call/json/json.ts'
import type { StoredCall } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { openSealed } from '../request/sealed-call.ts'
import { openView } from '../request/verified-view.ts'
import { viewsOf } from './decide.ts'

/** INVARIANT: L10, surfaces do not get a larger definition. */
export const MAX_SHOWN_DEFINITION = 64 * 1024

/**
 * The definition of a held call's tool with its schema, as its caller gave it; null if there is none or it is too large.
 * SECURITY: A20 its hash must be the one in the request, so that no later definition is shown for this call.
 */
export function toolDefinition(row: StoredCall, context: GateContext): Json | null {
  const { crypto } = context.ports
  const [view] = viewsOf(row, context)
  if (view === undefined) return null
  const { definition: hash } = openView(view, crypto).body.call.tool
  const { tool } = context.live.get(row.id)?.judgement.asked ?? openSealed(row, crypto).given
  const definition = typeof tool === 'string' ? undefined : tool.definition
  if (hash === 'unbound' || definition === undefined) return null
  try {
    const copy = freezeJson(definition, { root: 'definition', maxBytes: MAX_SHOWN_DEFINITION, onlyHashed: true })
    return crypto.sha256(canonicalJson(copy)) === hash ? copy : null
  } catch {
    return null // too large: surfaces show the arguments without the schema
  }
}
