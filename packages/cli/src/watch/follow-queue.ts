import {
  type Decision,
  type HeldCallView,
  markOf,
  type OpenedView,
  openView,
  type PastCall,
  safeText,
} from '@countersign/core'
import { listBackups } from '@countersign/node'
import type { CallReceipt, DeskEvent } from '@countersign/terminal'
import type { OpenDesk } from '../decision/desk.ts'

/** Interval for polling the store's change counter. */
const POLL_MS = 50
/** Minimum time between two reads of the queue. */
const READ_MS = 100

/** Emits held calls and receipts until stopped. Call `look` after a write of this process. */
export function followQueue(
  open: OpenDesk,
  own: ReadonlyMap<string, Decision>,
  listen: (event: DeskEvent) => void,
): { look(): void; stop(): void } {
  const { desk, ports } = open
  const { clock, store, crypto } = ports
  const known = new Map<string, OpenedView>()
  /** Approved calls that are still running. */
  const running = new Map<string, OpenedView>()
  let stopped = false
  let dirty = true
  let version = Number.NaN
  let shown = ''
  let paused: string | null = null
  let cancel = (): void => {}

  async function read(): Promise<void> {
    version = store.version()
    dirty = false
    const views = await desk.list()
    const held = views.flatMap((view) => openKnown(view))
    const ids = new Set(held.map(({ view }) => view.id))
    const gone = [...known.values()].filter(({ view }) => !ids.has(view.id))
    known.clear()
    for (const one of held) {
      known.set(one.view.id, one)
      running.delete(one.view.id)
    }
    const now = held.map(({ view }) => view.requestDigest).join()
    if (now !== shown || shown === '') listen({ kind: 'held', calls: held })
    shown = now
    await readPause()
    for (const one of [...gone, ...running.values()]) await tell(one)
  }

  async function readPause(): Promise<void> {
    const why = await desk.rules().paused()
    if (why !== paused) listen({ kind: 'paused', why: why === null ? null : safeText(why) })
    paused = why
  }

  /** INVARIANT: L5 a view that does not match its digests is never shown for approval. */
  function openKnown(view: HeldCallView): readonly OpenedView[] {
    const before = known.get(view.id)
    if (before?.view.requestDigest === view.requestDigest) return [before]
    try {
      return [openView(view, crypto)]
    } catch (error) {
      problem(error)
      return []
    }
  }

  async function tell(opened: OpenedView): Promise<void> {
    const found = await readReceipt(opened, open, own)
    if (found === null || (running.has(opened.view.id) && !found.isOver)) return
    if (found.isOver) running.delete(opened.view.id)
    else running.set(opened.view.id, opened)
    listen({ kind: 'receipt', receipt: found.receipt })
  }

  function problem(error: unknown): void {
    listen({ kind: 'problem', message: safeText(error instanceof Error ? error.message : String(error)) })
  }

  /** An expired deadline also changes the queue, without a write. */
  function isDue(): boolean {
    if (dirty || versionNow() !== version) return true
    const now = clock.now()
    for (const { body } of known.values()) if (body.expiresAt <= now) return true
    return false
  }

  function versionNow(): number {
    try {
      return store.version()
    } catch {
      return Number.NaN // treat a failed read as a change: the next listing reports the error
    }
  }

  async function turn(): Promise<void> {
    if (stopped) return
    let pause = POLL_MS
    if (isDue()) {
      pause = READ_MS
      await read().catch(problem)
    }
    if (!stopped) cancel = clock.after(pause, () => void turn())
  }

  void turn()
  return {
    look() {
      dirty = true
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}

/** The receipt of a call that was held; `isOver` once it is closed. Null if the store no longer has it. */
async function readReceipt(
  opened: OpenedView,
  { desk, ports, home }: OpenDesk,
  own: ReadonlyMap<string, Decision>,
): Promise<{ readonly receipt: CallReceipt; readonly isOver: boolean } | null> {
  const { view } = opened
  const past = await desk.past(view.id)
  if (past === undefined || past.state === 'held') return null
  const { decision } = past
  const by = decision === null ? undefined : await ports.approvers.find(decision.approver)
  const at = decision?.at ?? past.closedAt ?? ports.clock.now()
  return {
    isOver: past.state === 'closed',
    receipt: {
      callId: view.id,
      mark: markOf(view),
      risk: view.risk.level,
      summary: safeText(past.summary),
      outcome: outcomeOf(past),
      ended: decision?.kind === 'approve' && past.outcome !== null ? past.outcome : null,
      contained: past.contain !== null,
      edited: own.get(view.id)?.edited !== undefined,
      undoable: past.state === 'closed' && listBackups(home).some(({ call }) => call === view.id),
      by: decision === null ? null : safeText(by?.name ?? decision.approver),
      surface: decision === null || own.has(view.id) ? null : safeText(decision.surface),
      reason: decision?.reason == null ? null : safeText(decision.reason),
      at,
      heldMs: Math.max(0, at - view.openedAt),
    },
  }
}

function outcomeOf({ decision, outcome, state }: PastCall): string {
  if (decision !== null) return decision.kind === 'approve' ? 'approved' : 'rejected'
  return outcome ?? state
}
