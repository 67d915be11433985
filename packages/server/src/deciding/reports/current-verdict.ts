import {
  CountersignError,
  isJsonObject,
  type JournalEntry,
  openView,
  parseEntry,
  type RuleRef,
  recallCall,
  SUPERVISIONS,
} from '@countersign/core'
import type { DecidingParts } from '../api/route-dependencies.ts'

const MOST_ENTRIES = 200

/** The current verdict on a past call. */
export interface SaidNow {
  readonly supervision: string
  readonly rule: RuleRef
  readonly grant: string | null
  readonly risk: string
}

/**
 * What policy says now of one call, held or past. A held one has it in what is shown for it, which a change of policy
 * renews; a past one is judged again as it was. SECURITY: null where that cannot be told: what the journal has only in
 * part, or what circumstances held that are not there now, would be told as looser than it is.
 */
export async function saysNow(
  id: string,
  { main, workspaces }: Pick<DecidingParts, 'main' | 'workspaces'>,
): Promise<SaidNow | null> {
  const { desk, ports } = main
  const view = await desk.view(id)
  if (view !== undefined) {
    const { rule, grant } = view.verdict
    const { supervision, risk } = openView(view, ports.crypto).body
    return { supervision, rule, grant, risk }
  }
  const { entries } = await ports.store.outlineOf(id, MOST_ENTRIES)
  const entry = entries.map(({ line }) => parseEntry(line)).findLast((one) => one?.kind === 'judged')
  const recalled = entry === undefined ? null : recallCall(entry, ports.crypto)
  if (entry === undefined || recalled === null || isPastLimit(entry)) return null
  try {
    const { supervision, verdict, risk } = await workspaces.use(recalled.workspace, (gate) =>
      gate.explain(recalled.call),
    )
    const isSame = verdict.policyHash === entry['policy']
    if (isSame && rankOf(supervision) < rankOf(entry['supervision'])) return null
    return { supervision, rule: verdict.rule, grant: verdict.grant, risk }
  } catch (error) {
    if (error instanceof CountersignError) return null // its folder is gone, or too many are open
    throw error
  }
}

/** What a session did before is not there to be judged by again. */
function isPastLimit(entry: JournalEntry): boolean {
  const { rule, contributors } = entry
  const ids = [isJsonObject(rule) ? rule['id'] : null, ...(Array.isArray(contributors) ? contributors : [])]
  return ids.some((one) => typeof one === 'string' && one.startsWith('limits.'))
}

function rankOf(supervision: unknown): number {
  return (SUPERVISIONS as readonly unknown[]).indexOf(supervision)
}
