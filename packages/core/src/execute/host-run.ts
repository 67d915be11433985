import type { GateContext } from '../approval/context/gate-context.ts'
import type { Outcome } from '../approval/outcome/outcome.ts'
import { type Permit, settlePermit } from '../approval/outcome/permit.ts'
import { closeRow } from '../approval/record/close.ts'
import { parseEntry, stepEntry } from '../journal/entry.ts'
import { type StoredCall, WAITING_STATES } from '../ports/store.ts'
import { callRedactor } from '../secrets/redact.ts'
import { checkReported, cutDetail } from './execute.ts'
import { changesAfter } from './record-changes.ts'
import { type CommandEnd, takeNotes } from './run-notes.ts'

/** How a call ended, as the coding agent that ran it tells. */
export interface HostEnd {
  readonly outcome: 'completed' | 'failed'
  readonly detail?: string
  readonly end?: CommandEnd
}

/** The call that a coding agent reports: by the agent's own id of it, or else the oldest one of this session that is equal. */
export interface ReportedCall {
  readonly id: string | null
  readonly digest: string
  readonly args: Permit['args']
}

/**
 * Leaves a started call to the coding agent that runs it in a process of its own. What it changes is recorded as expected,
 * or looked for later; its row stays open as long as the agent's process lives.
 */
export async function handOver(permit: Permit, context: GateContext): Promise<void> {
  settlePermit(permit)
  const { entry: _, ...changes } = await changesAfter(permit, 'released', context)
  if (changes.changed !== undefined) await context.commit({ entries: [], ...changes, durable: false })
}

/**
 * Records how a call ended that was left to a coding agent. False if there is no such call. A ticket for a tool that failed is withdrawn:
 * the agent, or the person in its own prompt, ended the tool before the ticket was collected. One for a tool that completed may still be
 * collected by a command that the agent runs in the background.
 */
export async function settleHostRun(
  session: string,
  reported: ReportedCall,
  { outcome, detail, end }: HostEnd,
  context: GateContext,
): Promise<boolean> {
  const row = await findRun(session, reported, context)
  if (row === undefined) return outcome === 'failed' && withdrawTicketOf(session, reported, context)
  const redactor = callRedactor(reported.args, context.ports.crypto)
  const notes = takeNotes()
  if (end !== undefined) notes.ended(end)
  await noteBackup(row.id, context)
  const told = { detail: detail === undefined ? null : cutDetail(detail, redactor), ...notes.entry(redactor) }
  return closeRun(row, outcome, told, context)
}

async function withdrawTicketOf(session: string, { id }: ReportedCall, context: GateContext): Promise<boolean> {
  const row = id === null ? undefined : await context.ports.store.call(id)
  if (row?.mode !== 'submit' || row.session !== session) return false
  return closeRow(row, 'withdrawn', WAITING_STATES, context)
}

/** Records how a started call ended that its asker ran, whichever gate started it. False if it is over. */
export async function settleCall(
  row: StoredCall,
  outcome: Outcome,
  detail: string | null,
  context: GateContext,
): Promise<boolean> {
  checkReported(outcome)
  if (row.state !== 'started') return false
  await noteBackup(row.id, context)
  const text = detail === null ? null : cutDetail(detail, callRedactor({}, context.ports.crypto))
  return closeRun(row, outcome, { detail: text }, context)
}

/** Ends the calls of a session that its agent never reported: their effect was not seen. Its tickets are withdrawn. */
export async function releaseHostRuns(session: string, context: GateContext): Promise<void> {
  for (const state of WAITING_STATES) {
    const rows = await context.ports.store.calls({ state, session, limit: MOST_RUNS, unsealed: true })
    for (const row of rows) if (row.mode === 'submit') await closeRow(row, 'withdrawn', WAITING_STATES, context)
  }
  for (const row of await runsOf(session, context)) {
    await noteBackup(row.id, context)
    await closeRun(row, 'released', {}, context)
  }
}

async function findRun(session: string, { id, digest }: ReportedCall, context: GateContext) {
  if (id === null) return (await runsOf(session, context)).find((row) => row.callDigest === digest)
  const row = await context.ports.store.call(id)
  return row?.state === 'started' && row.session === session ? row : undefined
}

/** Oldest first. SECURITY: A10 only calls of this session, left to the agent that it belongs to. */
async function runsOf(session: string, { ports, owner }: GateContext): Promise<readonly StoredCall[]> {
  const rows = await ports.store.calls({ state: 'started', session, limit: MOST_RUNS, unsealed: true })
  return rows.filter((row) => row.owner === owner).toReversed()
}

/** INVARIANT: L10, so many calls of one session are looked through. */
const MOST_RUNS = 1_000

async function closeRun(
  row: StoredCall,
  outcome: Outcome,
  told: Parameters<typeof stepEntry>[3],
  context: GateContext,
): Promise<boolean> {
  const now = context.ports.clock.now()
  const committed = await context.commit({
    entries: [stepEntry(outcome, row.id, now, { digest: row.callDigest, ...told })],
    move: { id: row.id, from: 'started', to: 'closed', set: { outcome, closedAt: now } },
    durable: false,
  })
  if (committed.kind === 'conflict') return false
  context.events.emit({ kind: 'ended', callId: row.id, outcome })
  return true
}

/** Records what the call left behind, for an undo. The backup's name is in the journal: another process made it. */
async function noteBackup(callId: string, { ports }: GateContext): Promise<void> {
  const entries = await ports.store.entriesOf(callId)
  for (const { line } of entries) {
    const entry = parseEntry(line)
    if (entry?.kind === 'backup' && typeof entry['name'] === 'string')
      await ports.backups.note(entry['name']).catch(() => {}) // then the undo says that it can't tell later changes apart
  }
}
