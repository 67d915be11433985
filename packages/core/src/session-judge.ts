import type { GateContext } from './approval/context/gate-context.ts'
import { traceJudgement } from './approval/context/traced.ts'
import { type Judgement, withArgs } from './approval/request/judgement.ts'
import type { Call } from './call/call.ts'
import { judgeCall } from './judge.ts'
import type { OpenContext } from './open-context.ts'
import { dependsOnTime } from './policy/evaluate/adjust-verdict.ts'
import { evaluateCall } from './policy/evaluate/evaluate.ts'
import type { Supervision } from './policy/model/supervision.ts'
import { createTurns } from './ports/cooperative-yield.ts'
import type { CallTrace } from './ports/telemetry.ts'

const MAX_PROPOSALS = 3

/**
 * The judge for the calls of one session. Everything around the four steps of `judgeCall` is here: turns among callers,
 * policy checks shared by calls that arrive together, active grants, and checkers that propose another call.
 */
export function createJudge(
  gate: OpenContext,
  ownSession: string | null,
): Pick<GateContext, 'judge' | 'judgeWith' | 'judgeNow'> {
  const { clock } = gate.ports

  async function judgeInTurn(
    asked: Call,
    session: string | null,
    atLeast: Supervision,
    agentPrompt: boolean,
    trace: CallTrace | undefined,
  ): Promise<Judgement> {
    const arrival = gate.arrive()
    // A call that another asker submitted is judged in the turns of whoever collects it.
    const turns = createTurns(clock, ownSession)
    const judgement = await judgeCall(asked, {
      ports: gate.ports,
      places: gate.places,
      session,
      maxArgumentBytes: gate.argumentBytes,
      policy: () => gate.policyFor(arrival),
      // SECURITY: A10 a session ends with its process: grants of any other session do not count here.
      grants: async () => (gate.sessions.has(session) ? gate.grants.of(session) : []),
      leaving: gate.readSecrets(session).leaving,
      turns,
      atLeast,
      agentPrompt,
      trace,
    })
    const turn = turns.yieldIfDue()
    if (turn === undefined) return judgement
    await turn
    return { ...judgement, paused: true }
  }

  return {
    async judge(call, session = ownSession, agentPrompt = false, trace) {
      let judgement = await judgeInTurn(call, session, 'automatic', agentPrompt, trace)
      // INVARIANT: L9, a checker's proposal is a new call: judged from the start, and shown to a person.
      for (let proposals = 0; proposals < MAX_PROPOSALS; proposals += 1) {
        const { safety, asked } = judgement
        if (safety.proposed === null || safety.blocked) break
        judgement = await judgeInTurn(withArgs(asked, safety.proposed), session, 'confirm', agentPrompt, trace)
      }
      if (trace !== undefined) traceJudgement(trace, judgement)
      return judgement
    },
    judgeWith({ call, risk, circumstances }, grant) {
      // A grant takes effect after an approval, which marks these changes as seen.
      const { unseen: _, ...known } = circumstances
      return evaluateCall(call, risk, gate.inForce().policy, { ...known, grants: [...circumstances.grants, grant] })
    },
    judgeNow({ call, risk, circumstances, verdict }) {
      const { policy } = gate.inForce()
      const isTimeless = circumstances.grants.length === 0 && !dependsOnTime(policy.set)
      if (isTimeless && policy.hash === verdict.policyHash) return verdict
      return evaluateCall(call, risk, policy, { ...circumstances, now: clock.now() })
    },
  }
}
