import { freezeCall, withOwnDescription } from '../../call/freeze/freeze-call.ts'
import { decomposeCall } from '../../command/decompose-call.ts'
import { subjectOf } from '../../journal/call-story.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import type { Policy } from '../../policy/compile/compiled-policy.ts'
import { evaluateCall } from '../../policy/evaluate/evaluate.ts'
import { gatherCircumstances } from '../../policy/evaluate/gather-circumstances.ts'
import type { Places } from '../../policy/model/circumstances.ts'
import type { Supervision } from '../../policy/model/supervision.ts'
import type { Ports } from '../../ports/ports.ts'
import { rateRisk } from '../../risk/rate-risk.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import { pastJudged } from '../history/journal-scan.ts'
import { recallCall } from '../history/recalled-call.ts'

/** A past call that a change of policy would judge differently. */
export interface PastEffect {
  readonly call: string
  readonly tool: string
  /** The command, the path or the arguments, redacted. */
  readonly about: string
  readonly risk: RiskLevel
  readonly before: Supervision
  readonly after: Supervision
}

/** What a change would do to past calls. */
export interface PastEffects {
  /** How many calls were judged again. */
  readonly of: number
  /** How many could not be: the journal has only a part of them. */
  readonly unknown: number
  readonly changed: readonly PastEffect[]
  /** The call that the change was proposed from, judged again; null if there is none, or it could not be. */
  readonly from: PastEffect | null
}

/** The policy before and after a change, for one workspace. */
export interface BeforeAndAfter {
  readonly before: Policy
  readonly after: Policy
  readonly places: Places
}

const LAST_CALLS = 100
const MAX_ENTRIES = 5_000

/**
 * Judges the last calls of the journal by both policies, as if they came now: without grants and limits. The result informs
 * a person, and raises the act that a change takes; it never lowers it.
 */
export async function pastEffects(
  policiesOf: (workspace: string) => Promise<BeforeAndAfter | null>,
  ports: Pick<Ports, 'store' | 'crypto' | 'targets'> & Partial<Pick<Ports, 'sandbox'>>,
  call: string | null = null,
): Promise<PastEffects> {
  const changed: PastEffect[] = []
  let from: PastEffect | null = null
  let [of, unknown] = [0, 0]
  const known = new Set<string | null>()
  for await (const entry of pastJudged(ports.store, MAX_ENTRIES)) {
    if (of + unknown >= LAST_CALLS) break
    if (known.has(entry.call)) continue // judged again later, as that call ran
    known.add(entry.call)
    const effect = await effectOn(entry, policiesOf, ports)
    if (effect === null) unknown += 1
    else {
      of += 1
      if (effect.before !== effect.after) changed.push(effect)
      if (effect.call === call) from ??= effect
    }
  }
  return { of, unknown, changed, from }
}

async function effectOn(
  entry: JournalEntry,
  policiesOf: (workspace: string) => Promise<BeforeAndAfter | null>,
  ports: Pick<Ports, 'store' | 'crypto' | 'targets'> & Partial<Pick<Ports, 'sandbox'>>,
): Promise<PastEffect | null> {
  const recalled = recallCall(entry, ports.crypto)
  if (recalled === null || entry.call === null) return null
  const policies = await policiesOf(recalled.workspace)
  if (policies === null) return null
  const { before, after, places } = policies
  const { crypto, targets, sandbox } = ports
  try {
    const session = typeof entry['session'] === 'string' ? entry['session'] : null
    const frozen = freezeCall(
      { ...recalled.call, containable: recalled.call.source !== 'mcp' },
      { crypto, session, cwd: places.workspace, newId: crypto.randomId },
    )
    const { rating } = before.set
    const call = withOwnDescription(frozen, rating?.knowledge, {}, crypto)
    const gathered = await gatherCircumstances(call, decomposeCall(call), {
      ports: {
        clock: { now: () => entry.at },
        targets,
        crypto,
        store: { counted: async () => 0 },
        ...(sandbox === undefined ? {} : { sandbox }),
      },
      places,
      limits: [],
      rating,
      grants: [],
    })
    const risk = rateRisk(call, gathered.command, gathered.circumstances)
    const said = [before, after].map((policy) => evaluateCall(call, risk, policy, gathered.circumstances).supervision)
    return {
      call: entry.call,
      tool: String(entry['tool']),
      about: subjectOf(entry),
      risk: risk.level,
      before: said[0] ?? 'deny',
      after: said[1] ?? 'deny',
    }
  } catch {
    return null // counted as unknown
  }
}
