import type { GateContext } from '../approval/context/gate-context.ts'
import type { Outcome } from '../approval/outcome/outcome.ts'
import { type Permit, settlePermit, unsettlePermit } from '../approval/outcome/permit.ts'
import { CountersignError } from '../errors.ts'
import { stepEntry } from '../journal/entry.ts'
import { redactText } from '../secrets/redact.ts'
import { noteAfter } from './keep-backup.ts'

const MAX_DETAIL = 500

/** SECURITY: A29 what ran can end in these ways only: its caller may not put a denial or a decision into the journal. */
const TOLD: ReadonlySet<string> = new Set<Outcome>(['completed', 'failed', 'released', 'unknown'])

/** Records the outcome of a spent permit, once. A store that fails leaves the permit as it was, so that it can be told again. */
export async function settle(
  permit: Permit,
  outcome: Outcome,
  detail: string | null,
  context: GateContext,
): Promise<void> {
  if (!TOLD.has(outcome)) {
    throw new CountersignError(
      'CS_CALL_SHAPE',
      'an outcome is told as completed, failed, released or unknown; name one',
    )
  }
  settlePermit(permit)
  const noting = noteAfter(permit, context)
  if (noting !== null) await noting
  try {
    await record(permit, outcome, typeof detail === 'string' ? detail : null, context)
  } catch (error) {
    unsettlePermit(permit)
    throw error
  }
  context.events.emit({ kind: 'ended', callId: permit.callId, outcome })
}

async function record(permit: Permit, outcome: Outcome, detail: string | null, context: GateContext): Promise<void> {
  const { callId, callDigest } = permit
  const now = context.ports.clock.now()
  const words = detail === null ? null : redactText(detail.slice(0, MAX_DETAIL).toWellFormed(), context.ports.crypto)
  const entries = [stepEntry(outcome, callId, now, { digest: callDigest, detail: words })]
  const set = { outcome, closedAt: now }
  const committed = await context.commit({
    entries,
    move: { id: callId, from: 'started', to: 'closed', set },
    durable: false,
  })
  if (committed.kind === 'committed') return
  // SECURITY: A29 the row was changed by somebody else while the tool ran; the journal still says how it ended.
  await context.commit({ entries, durable: false })
  const message = `the row of call \`${callId}\` was changed while it ran; run \`countersign journal verify\``
  context.events.emit({ kind: 'problem', code: 'CS_STORE_WRITE', message })
}
