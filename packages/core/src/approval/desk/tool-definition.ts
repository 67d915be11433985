import { canonicalJson } from '../../call/json/canonical.ts'
import { freezeJson } from '../../call/json/freeze.ts'
import type { Json } from '../../call/json/json.ts'
import type { StoredCall } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { openSealed } from '../request/sealed-call.ts'
import { openView } from '../request/verified-view.ts'
import { viewsOf } from './decide.ts'

/** INVARIANT: L10, a definition larger than this is not handed to surfaces: they do without. */
export const MAX_SHOWN_DEFINITION = 64 * 1024

/**
 * The definition of a held call's tool, schema and all, as its caller gave it; null when it gave none or one too large.
 * SECURITY: A20 it must have the hash that stands in the request, so that no later definition is shown for this call.
 */
export function toolDefinition(row: StoredCall, context: GateContext): Json | null {
  const { crypto } = context.ports
  const [view] = viewsOf(row, context)
  if (view === undefined) return null
  const { definition: hash } = openView(view, crypto).body.call.tool
  const given = context.live.get(row.id)?.judgement.given ?? openSealed(row, crypto).given
  const definition = typeof given.tool === 'string' ? undefined : given.tool.definition
  if (hash === 'unbound' || definition === undefined) return null
  try {
    const copy = freezeJson(definition, { root: 'definition', maxBytes: MAX_SHOWN_DEFINITION, onlyHashed: true })
    return crypto.sha256(canonicalJson(copy)) === hash ? copy : null
  } catch {
    return null // too large: a surface shows the arguments by what they are
  }
}
