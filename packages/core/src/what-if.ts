import type { GateContext } from './approval/context/gate-context.ts'
import { prepareHeld } from './approval/hold/hold.ts'
import { permissionOf } from './approval/outcome/permission.ts'
import { viewOf } from './approval/request/held-call.ts'
import type { HeldCallView } from './approval/request/view.ts'
import type { Call, FrozenCall } from './call/call.ts'
import { decomposeCall } from './command/decompose-call.ts'
import { type Explanation, explainPolicy } from './policy/evaluate/explain.ts'
import type { Circumstances } from './policy/model/circumstances.ts'
import { strictest } from './policy/model/supervision.ts'
import type { PolicyInForce } from './policy-in-force.ts'
import type { RiskCircumstances } from './risk/path/located-path.ts'
import { rateRisk } from './risk/rate-risk.ts'

/** Whether the call would not run unasked. A call that is denied or cannot be judged would not. */
export async function isConfirmationRequired(call: Call, context: GateContext): Promise<boolean> {
  const judgement = await context.judge(call).catch(() => null)
  return judgement === null || permissionOf(judgement, null) !== 'run'
}

/** The verdict on a call, and what every rule says about it. */
export async function explainCall(
  call: Call,
  inForce: () => PolicyInForce,
  context: GateContext,
): Promise<Explanation> {
  const { call: frozen, risk, circumstances, safety, supervision } = await context.judge(call)
  const explained = explainPolicy(frozen, risk, inForce().policy, circumstances)
  const rows = ownRows(frozen, circumstances)
  return {
    ...explained,
    ...(rows.length === 0 ? {} : { ownRows: rows }),
    supervision: safety.blocked ? 'deny' : strictest([supervision, explained.supervision]),
  }
}

/** The rows of own knowledge that rated a call. */
function ownRows(call: FrozenCall, circumstances: Circumstances): readonly string[] {
  if (circumstances.knowledge === undefined) return []
  const found = new Set<string>()
  const rowAnswered: RiskCircumstances['rowAnswered'] = (_, { source }) => {
    if (source?.layer !== undefined) found.add(`${source.file}:${source.line}`)
  }
  rateRisk(call, decomposeCall(call), { ...circumstances, rowAnswered })
  return [...found]
}

/** What a person would be shown. Nothing is held or recorded. */
export async function previewCall(call: Call, context: GateContext): Promise<HeldCallView> {
  const judgement = await context.judge(call)
  const expiresAt = context.ports.clock.now() + judgement.verdict.timeoutMs
  return viewOf(await prepareHeld(judgement, expiresAt, context))
}
