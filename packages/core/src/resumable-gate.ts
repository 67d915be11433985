import { type GateContext, isCallerGone } from './approval/context/gate-context.ts'
import { withdrawTicket } from './approval/hold/ticket.ts'
import type { Outcome } from './approval/outcome/outcome.ts'
import { otherCall, pastRefusal } from './approval/outcome/outcome.ts'
import { closeRow } from './approval/record/close.ts'
import type { Call } from './call/call.ts'
import { CountersignError } from './errors.ts'
import { settleCall } from './execute/host-run.ts'
import type { Answer, Gate } from './gate-handle.ts'
import type { StoredCall } from './ports/store.ts'
import { refuseOnError } from './refuse-on-error.ts'

/** The asking side for an asker who can come back after its connection broke, to this gate or to another on the store. */
export interface ResumableGate extends Gate {
  /**
   * Asks again for a call whose answer never arrived: waits for it where it is held, asks for it if no gate has taken it, and
   * tells how it ended otherwise. INVARIANT: L1, a call that was started is *unknown*, and never started again.
   */
  askAgain(call: Call & { readonly id: string }, signal?: AbortSignal): Promise<Answer>
  /** Records the outcome of a call of this session, whichever gate started it. Telling the same outcome twice does nothing. */
  report(callId: string, outcome: Outcome, detail?: string): Promise<void>
  /** Ends what an asker left behind who did not come back: unless another gate has it by now, or somebody waits for it here. */
  giveUp(callId: string): Promise<void>
}

const MAX_LOOKS = 4

/** Adds to the gate of a resumable session what an asker needs who comes back. */
export function createResumableGate(gate: Gate, session: string, context: GateContext): ResumableGate {
  const { store, crypto } = context.ports

  async function again(call: Call & { readonly id: string }, signal: AbortSignal | undefined): Promise<Answer> {
    for (let look = 1; look <= MAX_LOOKS; look += 1) {
      const row = await store.call(call.id)
      if (row !== undefined) return takeUp(row, call, signal)
      const answer = await gate.ask(call, signal)
      // Another gate opened it meanwhile: it had been asked there.
      if (answer.kind === 'permit' || answer.code !== 'CS_CALL_DUPLICATE') return answer
    }
    throw new CountersignError('CS_STALE', 'the call keeps changing; ask again with a new id')
  }

  async function takeUp(row: StoredCall, call: Call, signal: AbortSignal | undefined): Promise<Answer> {
    const isSame = row.session === session && (await context.judge(call)).call.digest === row.callDigest
    if (!isSame) return otherCall(row.id)
    if (row.state === 'started') await closeRow(row, 'unknown', 'started', context, { found: row.state })
    const now = row.state === 'started' ? await store.call(row.id) : row
    if (now === undefined || now.state === 'closed') return pastRefusal(now ?? row, crypto)
    // Its former connection may not be known to be broken yet.
    context.waiting.supersede(row.id)
    return gate.wait({ kind: 'ticket', callId: row.id }, signal)
  }

  /** A call that its asker took back is over; one whose asker only went away is not. */
  async function unlessCancelled(id: string, signal: AbortSignal | undefined, asking: Promise<Answer>) {
    const answer = await asking
    const isCancelled = signal?.aborted === true && !isCallerGone(signal)
    if (isCancelled && answer.kind === 'refusal' && answer.outcome === 'withdrawn')
      await withdrawTicket({ kind: 'ticket', callId: id }, context).catch(() => {}) // then it was over already
    return answer
  }

  return {
    ...gate,
    ask: (call, signal) => unlessCancelled(call.id ?? '', signal, gate.ask(call, signal)),
    askAgain: (call, signal) =>
      unlessCancelled(
        call.id,
        signal,
        refuseOnError(call, context, () => again(call, signal)),
      ),
    async report(callId, outcome, detail) {
      const row = await store.call(callId)
      if (row?.session !== session)
        throw new CountersignError('CS_PERMIT_FORGED', `this session has no permit for call \`${callId}\``)
      if (row.state === 'closed' && row.outcome === outcome) return
      if (!(await settleCall(row, outcome, detail ?? null, context)))
        throw new CountersignError(
          'CS_PERMIT_SPENT',
          `call \`${callId}\` is over (${row.outcome ?? row.state}); its outcome stays as recorded`,
        )
    },
    async giveUp(callId) {
      const row = await store.call(callId)
      if (row?.session !== session || row.owner !== context.owner || context.waiting.holds(callId)) return
      if (row.state === 'started') await closeRow(row, 'unknown', 'started', context, { found: row.state })
      // A decision that was made is kept until the deadline: its asker may still come for it. A submitted call needs no asker.
      else if (row.mode === 'ask') await closeRow(row, 'withdrawn', ['held', 'ready'], context, { found: row.state })
    },
  }
}
