import { deepFreeze } from '../../call/json/freeze.ts'
import { stepEntry } from '../../journal/entry.ts'
import { createTurns } from '../../ports/cooperative-yield.ts'
import type { Ports } from '../../ports/ports.ts'
import { within } from '../../ports/timeouts.ts'
import { buildPreview, customPreview } from '../../preview/build-preview.ts'
import { effectSentence } from '../../preview/effect.ts'
import { unseenPreview } from '../../preview/kinds/unseen.ts'
import type { Preview } from '../../preview/model/preview.ts'
import { type GateContext, mustBeDurable } from '../context/gate-context.ts'
import { offerGrants } from '../grants/offers.ts'
import { lastRefusals } from '../history/last-refusals.ts'
import type { Refusal } from '../outcome/outcome.ts'
import type { ExpectedRow } from '../outcome/permission.ts'
import { editedColumns, rowOf } from '../record/call-row.ts'
import { judgedEntry } from '../record/journal-entries.ts'
import { refuseConflict } from '../record/store-conflict.ts'
import { type HeldCall, viewOf } from '../request/held-call.ts'
import type { Judgement } from '../request/judgement.ts'
import { buildRequest } from '../request/request.ts'
import { plainCall, sealCall } from '../request/sealed-call.ts'
import { snapshotTargets } from '../request/target-snapshot.ts'
import type { HeldCallView } from '../request/view.ts'

/** Builds what a person will see and sign for: preview, bound targets, worthwhile grants, and the request. */
export async function prepareHeld(judgement: Judgement, expiresAt: number, context: GateContext): Promise<HeldCall> {
  const { ports } = context
  const { call, risk, circumstances } = judgement
  const turns = createTurns(ports.clock, context.asker)
  // Asked for before the rest, which a distant store then overlaps with. A size from before only reaches further back.
  const head = ports.store.head()
  head.catch(() => {}) // it is awaited below
  const targets = await turns.waitFor(snapshotTargets(judgement, ports.targets))
  const preview = await previewOf(judgement, ports)
  const refused = call.outside ? await turns.waitFor(lastRefusals(call, ports)) : []
  const { size: after } = await turns.waitFor(head)
  const held = await turns.step(() => ({
    judgement,
    ...buildRequest(judgement, targets, preview, expiresAt, ports),
    preview,
    effect: effectSentence(call, risk),
    offers: offerGrants(judgement, refused, context.judgeWith),
    refused,
    openedAt: circumstances.now,
    after,
  }))
  await turns.yieldIfDue()
  return held
}

const PREVIEW_TIMEOUT_MS = 5_000

/** The tool's own preview where it has one, otherwise one built from what the call does. Never throws. */
async function previewOf(judgement: Judgement, ports: Ports): Promise<Preview> {
  const { call, risk, asked, circumstances } = judgement
  const own = asked.preview
  if (own === undefined) {
    const preview = await buildPreview(call, risk, ports.targets)
    const { unseen, places } = circumstances
    if (unseen === undefined || preview.kind !== 'command') return preview
    return { ...preview, unseen: await unseenPreview(unseen, places.workspace, ports) }
  }
  const late = 'the tool’s own preview did not answer'
  return customPreview(call, () =>
    within(ports.clock, PREVIEW_TIMEOUT_MS, 'CS_INTERNAL', late, Promise.resolve(own(call.args))),
  )
}

/** Stores a prepared call as held. Returns a refusal when the store does not take it. */
export async function openHeld(held: HeldCall, mode: 'ask' | 'submit', context: GateContext): Promise<Refusal | null> {
  const { call, risk } = held.judgement
  const view = shownView(held)
  const committed = await context.commit({
    entries: [judgedEntry(held.judgement, context.ports.crypto), heldEntry(held)],
    open: {
      call: { ...rowOf(held.judgement, mode, context), ...heldColumns(held, view, context) },
      ...context.bounds,
    },
    durable: mustBeDurable(risk.level),
  })
  if (committed.kind === 'conflict') return refuseConflict(call.id, committed.what)
  context.live.set(call.id, held)
  emitHeld(held, view, committed.size, context)
  return null
}

/**
 * Replaces the request that waits with a newly prepared one. INVARIANT: L6, only if the row still has that request and
 * state: a decision made meanwhile is acted on, not overwritten.
 */
export async function reissueHeld(
  held: HeldCall,
  over: ExpectedRow,
  context: GateContext,
  isEdited = false,
): Promise<boolean> {
  const { call } = held.judgement
  const view = shownView(held)
  const committed = await context.commit({
    entries: [judgedEntry(held.judgement, context.ports.crypto), heldEntry(held)],
    move: {
      id: call.id,
      from: over.state,
      to: 'held',
      ...(over.requestDigest === null ? {} : { requestDigest: over.requestDigest }),
      set: {
        ...heldColumns(held, view, context),
        decision: null,
        ...(isEdited ? editedColumns(held.judgement, context) : {}),
      },
    },
    durable: mustBeDurable(held.judgement.risk.level),
  })
  if (committed.kind === 'conflict') return false
  context.live.set(call.id, held)
  emitHeld(held, view, committed.size, context)
  return true
}

/** Frozen before it is written, so that listeners can be told as soon as the call is held. */
function shownView(held: HeldCall): HeldCallView {
  return deepFreeze(viewOf(held))
}

function emitHeld({ judgement, body }: HeldCall, view: HeldCallView, seq: number, { events }: GateContext): void {
  const { id, session } = judgement.call
  events.emit({ kind: 'held', callId: id, view, session, expiresAt: body.expiresAt, seq })
}

function heldEntry(held: HeldCall) {
  const { body, requestDigest } = held
  return stepEntry('held', held.judgement.call.id, held.openedAt, {
    request: requestDigest,
    supervision: body.supervision,
    preview: body.previewHash,
    expiresAt: body.expiresAt,
    unbound: body.targets.filter((target) => target.content === 'unbound').length,
  })
}

function heldColumns(held: HeldCall, view: HeldCallView, context: GateContext) {
  const { judgement, body, requestDigest, after } = held
  const { call, risk, verdict, supervision } = judgement
  const given = plainCall(judgement.asked, call.args, call.id)
  return {
    requestDigest,
    supervision,
    risk: risk.level,
    rule: verdict.rule.id,
    expiresAt: body.expiresAt,
    sealed: sealCall(
      call.id,
      { given, session: call.session, view, expiresAt: body.expiresAt, after },
      context.ports.crypto,
    ),
  }
}
