import { type GivenGrant, isJsonObject, type JsonObject, parseEntry } from '@countersign/core'
import type { OpenedGate } from '@countersign/node'

/** Arguments of more than so many characters are not told along with a grant. INVARIANT: L10 */
const MOST_ARGS = 4_096
const MOST_ENTRIES = 200

/** A call that a grant was given for, as the journal tells it. */
interface GrantedCall {
  readonly tool: string
  readonly summary: string
  readonly args: JsonObject | null
}

/**
 * The call that a grant was given for. SECURITY: A3 which call it was, the grant's row says, and nobody signed that: for
 * exact arguments the journal's entry must carry the key that the grant is bound to, or else nothing is told.
 */
export async function grantedCall(
  { call, scope }: GivenGrant,
  { desk, ports }: Pick<OpenedGate, 'desk' | 'ports'>,
): Promise<GrantedCall | null> {
  if (call === null) return null
  const past = await desk.past(call)
  if (past === undefined) return null
  const { entries } = await ports.store.outlineOf(call, MOST_ENTRIES)
  const fitting = entries
    .map(({ line }) => parseEntry(line))
    .findLast((entry) => entry?.kind === 'judged' && (scope.kind !== 'exact' || entry['grantKey'] === scope.grantKey))
  if (fitting === undefined) return null
  const { tool, args } = fitting
  const isSmall = isJsonObject(args) && JSON.stringify(args).length <= MOST_ARGS
  return { tool: String(tool), summary: past.summary, args: isSmall ? args : null }
}
