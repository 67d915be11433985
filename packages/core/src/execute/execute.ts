import type { GateContext } from '../approval/context/gate-context.ts'
import type { Outcome, Refusal } from '../approval/outcome/outcome.ts'
import { type Permit, settlePermit, unsettlePermit } from '../approval/outcome/permit.ts'
import { CountersignError } from '../errors.ts'
import { stepEntry } from '../journal/entry.ts'
import type { Places } from '../policy/model/circumstances.ts'
import { type CallRedactor, callRedactor } from '../secrets/redact.ts'
import { noteAfter } from './keep-backup.ts'
import { changesAfter } from './record-changes.ts'
import { type RunNotes, type TakenNotes, takeNotes } from './run-notes.ts'

const MAX_MESSAGE = 10_000
const MAX_DETAIL = 500

/** Runs the tool with the frozen arguments. INVARIANT: L11, a command runs in the sandbox if `contain` has its bounds. */
export type Effect = (args: Permit['args'], how: RunPlace) => unknown

/** Where a command runs: in a sandbox with these bounds, or outside (null). */
export interface RunPlace extends RunNotes {
  readonly contain: Permit['contain']
  readonly places: Places
  /** The folder that the call was judged for. */
  readonly cwd: string
  /** Where the paths of the call led when they were last checked. */
  readonly paths: readonly string[]
  /** Who approved the call; null: nobody was asked. */
  readonly approvedBy: string | null
}

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
export async function execute(permit: Permit, run: Effect, context: GateContext): Promise<ToolResult> {
  const { callId, contain, approvedBy, cwd, paths } = permit
  const notes = takeNotes()
  const { refused, ended } = notes
  context.trace?.enter('run')
  try {
    const value = await run(permit.args, { contain, places: context.places, cwd, paths, approvedBy, refused, ended })
    context.learn(value, permit)
    return { kind: 'completed', callId, value, recorded: await settleRun(permit, 'completed', null, notes, context) }
  } catch (error) {
    const message = messageOf(error)
    context.learn(message, permit)
    const recorded = await settleRun(permit, 'failed', message, notes, context)
    return { kind: 'failed', callId, error, message, recorded }
  }
}

/** The effect has happened and cannot be undone: if the store fails now, the outcome is later reported as *unknown*. */
async function settleRun(
  permit: Permit,
  outcome: Outcome,
  detail: string | null,
  notes: TakenNotes,
  context: GateContext,
): Promise<boolean> {
  context.trace?.enter('settle')
  try {
    await settle(permit, outcome, detail, context, notes)
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
    return cut(String(text), MAX_MESSAGE)
  } catch {
    return 'the tool threw something that cannot be read'
  }
}

/** The detail of an outcome as the journal keeps it: redacted, then shortened. */
export function cutDetail(detail: string, redactor: CallRedactor): string {
  return cut(redactor.text(cut(detail, MAX_MESSAGE)), MAX_DETAIL)
}

function cut(text: string, most: number): string {
  return text.slice(0, most).toWellFormed()
}

/** SECURITY: A29 a caller may report only these: it may not put a denial or a decision into the journal. */
const REPORTED: ReadonlySet<string> = new Set<Outcome>(['completed', 'failed', 'released', 'unknown'])

/** Throws for an outcome that a caller may not report. */
export function checkReported(outcome: Outcome): void {
  if (!REPORTED.has(outcome))
    throw new CountersignError('CS_CALL_SHAPE', 'the outcome must be completed, failed, released or unknown; use one')
}

/** Records the outcome of a spent permit, once. If the store fails, the permit stays unsettled and `settle` can be retried. */
export async function settle(
  permit: Permit,
  outcome: Outcome,
  detail: string | null,
  context: GateContext,
  notes: TakenNotes = takeNotes(),
): Promise<void> {
  checkReported(outcome)
  settlePermit(permit)
  const noting = noteAfter(permit, context)
  if (noting !== null) await noting
  try {
    await recordOutcome(permit, outcome, typeof detail === 'string' ? detail : null, notes, context)
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
  notes: TakenNotes,
  context: GateContext,
): Promise<void> {
  const { callId, callDigest } = permit
  const now = context.ports.clock.now()
  const redactor = callRedactor(permit.args, context.ports.crypto)
  const text = detail === null ? null : cutDetail(detail, redactor)
  const { entry, ...changes } = await changesAfter(permit, outcome, context)
  const told = { digest: callDigest, detail: text, ...notes.entry(redactor), ...entry }
  const entries = [stepEntry(outcome, callId, now, told)]
  const committed = await context.commit({
    entries,
    move: { id: callId, from: 'started', to: 'closed', set: { outcome, closedAt: now } },
    ...changes,
    durable: false,
  })
  if (committed.kind === 'committed') return
  // SECURITY: A29 somebody changed the row while the tool ran; the journal still tells how the call ended.
  await context.commit({ entries, ...changes, durable: false })
  const message = `the row of call \`${callId}\` was changed while it ran; run \`countersign journal verify\``
  context.events.emit({ kind: 'problem', code: 'CS_STORE_WRITE', message })
}
