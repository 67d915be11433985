import type { GateContext } from '../approval/context/gate-context.ts'
import type { Outcome, Refusal } from '../approval/outcome/outcome.ts'
import { type Permit, settlePermit, unsettlePermit } from '../approval/outcome/permit.ts'
import { CountersignError } from '../errors.ts'
import { stepEntry } from '../journal/entry.ts'
import { redactText } from '../secrets/redact.ts'
import { noteAfter } from './keep-backup.ts'

const MAX_MESSAGE = 10_000
const MAX_DETAIL = 500

/** How a run ended, as its caller is told. */
export type ToolResult =
  | { readonly kind: 'completed'; readonly callId: string; readonly value: unknown; readonly recorded: boolean }
  | {
      readonly kind: 'failed'
      readonly callId: string
      readonly error: unknown
      readonly message: string
      readonly recorded: boolean
    }
  | Refusal

/** Runs the frozen arguments under a permit that was just spent on them, and records the outcome. */
export async function execute(
  permit: Permit,
  run: (args: Permit['args']) => unknown,
  context: GateContext,
): Promise<ToolResult> {
  const { callId } = permit
  try {
    const value = await run(permit.args)
    return { kind: 'completed', callId, value, recorded: await settleRun(permit, 'completed', null, context) }
  } catch (error) {
    const message = messageOf(error)
    const recorded = await settleRun(permit, 'failed', message, context)
    return { kind: 'failed', callId, error, message, recorded }
  }
}

/** The effect has happened and cannot be undone: if the store fails now, the outcome is later reported as *unknown*. */
async function settleRun(
  permit: Permit,
  outcome: Outcome,
  detail: string | null,
  context: GateContext,
): Promise<boolean> {
  try {
    await settle(permit, outcome, detail, context)
    return true
  } catch (error) {
    const code = error instanceof CountersignError ? error.code : 'CS_INTERNAL'
    const message = `call \`${permit.callId}\` ran, but its outcome could not be recorded`
    context.events.emit({ kind: 'problem', code, message })
    return false
  }
}

/** INVARIANT: L7, the tool ran, whatever it threw: reading the thrown value must not turn this into a refusal. */
function messageOf(thrown: unknown): string {
  try {
    const text: unknown = thrown instanceof Error ? thrown.message : thrown
    return String(text).slice(0, MAX_MESSAGE).toWellFormed()
  } catch {
    return 'the tool threw something that cannot be read'
  }
}

/** SECURITY: A29 a caller may report only these: it may not put a denial or a decision into the journal. */
const REPORTED: ReadonlySet<string> = new Set<Outcome>(['completed', 'failed', 'released', 'unknown'])

/** Records the outcome of a spent permit, once. If the store fails, the permit stays unsettled and `settle` can be retried. */
export async function settle(
  permit: Permit,
  outcome: Outcome,
  detail: string | null,
  context: GateContext,
): Promise<void> {
  if (!REPORTED.has(outcome))
    throw new CountersignError('CS_CALL_SHAPE', 'the outcome must be completed, failed, released or unknown; use one')
  settlePermit(permit)
  const noting = noteAfter(permit, context)
  if (noting !== null) await noting
  try {
    await recordOutcome(permit, outcome, typeof detail === 'string' ? detail : null, context)
  } catch (error) {
    unsettlePermit(permit)
    throw error
  }
  context.events.emit({ kind: 'ended', callId: permit.callId, outcome })
}

async function recordOutcome(
  permit: Permit,
  outcome: Outcome,
  detail: string | null,
  context: GateContext,
): Promise<void> {
  const { callId, callDigest } = permit
  const now = context.ports.clock.now()
  const text = detail === null ? null : redactText(detail.slice(0, MAX_DETAIL).toWellFormed(), context.ports.crypto)
  const entries = [stepEntry(outcome, callId, now, { digest: callDigest, detail: text })]
  const committed = await context.commit({
    entries,
    move: { id: callId, from: 'started', to: 'closed', set: { outcome, closedAt: now } },
    durable: false,
  })
  if (committed.kind === 'committed') return
  // SECURITY: A29 somebody changed the row while the tool ran; the journal still tells how the call ended.
  await context.commit({ entries, durable: false })
  const message = `the row of call \`${callId}\` was changed while it ran; run \`countersign journal verify\``
  context.events.emit({ kind: 'problem', code: 'CS_STORE_WRITE', message })
}
