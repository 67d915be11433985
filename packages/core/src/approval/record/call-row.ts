import { toolLabel } from '../../call/tool.ts'
import type { StoredCall } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import type { Judgement } from '../request/judgement.ts'
import { summarizeCall } from './call-summary.ts'

/**
 * What the row says of a call whose arguments a person edited: what would run, never what was asked for. It keeps saying
 * that it was edited, whoever decides on it in the end.
 */
export function editedColumns(judgement: Judgement, { ports }: Pick<GateContext, 'ports'>) {
  const { risk, verdict, supervision } = judgement
  const summary = `edited: ${summarizeCall(judgement, ports.crypto)}`
  return { summary, supervision, risk: risk.level, rule: verdict.rule.id } as const
}

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
