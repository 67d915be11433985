import { toolLabel } from '../call/tool.ts'
import type { StoredCall } from '../ports/store.ts'
import { summarizeCall } from './call-summary.ts'
import type { GateContext } from './context.ts'
import type { Judgement } from './judgement.ts'

/** The store's row of a call, before anything else is known of it. */
export function rowOf(judgement: Judgement, mode: 'ask' | 'submit', context: GateContext): StoredCall {
  const { call, risk, verdict, supervision, circumstances } = judgement
  return {
    id: call.id,
    session: call.session,
    state: 'held',
    owner: context.ports.owners.self,
    mode,
    tool: toolLabel(call.tool),
    agent: [...call.agent.parents, call.agent.name].join(' › '),
    risk: risk.level,
    supervision,
    rule: verdict.rule.id,
    callDigest: call.digest,
    requestDigest: null,
    summary: summarizeCall(judgement, context.ports.crypto),
    sealed: null,
    openedAt: circumstances.now,
    expiresAt: null,
    decision: null,
    outcome: null,
    closedAt: null,
  }
}
