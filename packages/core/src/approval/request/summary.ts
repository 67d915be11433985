import { toolLabel } from '../../call/tool.ts'
import type { RuleRef } from '../../policy/model/verdict.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import { type BatchPlace, batchPlace } from './batch-key.ts'
import type { HeldCallView, RequestBody } from './view.ts'

/**
 * A held call in short, for a list that cannot carry every view. INVARIANT: L5, it has no request, so nobody can sign for
 * it: a surface must read the view first and compute its digests.
 */
export interface HeldSummary {
  readonly id: string
  readonly requestDigest: string
  readonly effect: string
  readonly risk: { readonly level: RiskLevel }
  readonly supervision: string
  readonly tool: string
  readonly agent: readonly string[]
  /** The folder it works in. */
  readonly cwd: string
  readonly rule: RuleRef
  readonly openedAt: number
  readonly expiresAt: number
  /** Only a passkey may approve. */
  readonly passkey: boolean
  /** Which calls it may be decided together with. */
  readonly batch: BatchPlace | null
  /** The size of the whole view as JSON. */
  readonly bytes: number
  /** Read separately. */
  readonly view: null
}

/** The short form of a view; `bytes` is the size of the view as JSON. */
export function summarizeHeld(view: HeldCallView, bytes: number): HeldSummary {
  const { id, requestDigest, effect, risk, verdict, openedAt } = view
  const body = JSON.parse(view.request) as RequestBody
  const { call, supervision, expiresAt, passkey } = body
  return {
    id,
    requestDigest,
    effect,
    risk: { level: risk.level },
    supervision,
    tool: toolLabel(call.tool),
    agent: call.agent,
    cwd: call.cwd,
    rule: verdict.rule,
    openedAt,
    expiresAt,
    passkey: passkey === true,
    batch: batchPlace({ view, body }),
    bytes,
    view: null,
  }
}
