import { toolLabel } from '../call/tool.ts'
import { redactText } from '../journal/redact.ts'
import type { Committed, StoredCall } from '../ports/store.ts'
import { effectSentence } from '../preview/effect.ts'
import { type GateContext, mustBeDurable } from './context.ts'
import { judgedEntry, stepEntry } from './entries.ts'
import { offerGrants } from './grants.ts'
import { type Held, viewOf } from './held.ts'
import type { Judgement } from './judgement.ts'
import type { ExpectedRow } from './pass.ts'
import { type Refusal, refusal } from './refusal.ts'
import { buildRequest } from './request.ts'
import { plainCall, sealCall } from './sealed-call.ts'
import { snapshotTargets } from './snapshot.ts'

/** Builds what a person will see and sign for: preview, bound targets, worthwhile grants, and the request. */
export async function prepareHeld(judgement: Judgement, expiresAt: number, context: GateContext): Promise<Held> {
  const { ports } = context
  const targets = await snapshotTargets(judgement, ports.targets)
  const preview = await context.previewOf(judgement)
  const { size } = await ports.store.head()
  return {
    judgement,
    targets,
    preview,
    request: buildRequest(judgement, targets, preview, expiresAt, ports.crypto),
    effect: effectSentence(judgement.call, judgement.risk),
    offers: offerGrants(judgement, (grant) => context.judgeWith(judgement, grant)),
    openedAt: judgement.circumstances.now,
    after: size,
  }
}

/** Puts a prepared call into the store as held, or says why there is no room for it. */
export async function openHeld(held: Held, mode: 'ask' | 'submit', context: GateContext): Promise<Refusal | null> {
  const { call, risk } = held.judgement
  const committed = await context.commit({
    entries: [judgedEntry(held.judgement, context.ports.crypto), heldEntry(held)],
    open: {
      call: { ...rowOf(held.judgement, mode, context), ...heldColumns(held, context) },
      maxHeldInSession: context.bounds.heldInSession,
      maxHeld: context.bounds.held,
    },
    durable: mustBeDurable(risk.level),
  })
  if (committed.kind === 'conflict') return refuseConflict(call.id, committed.what)
  context.live.set(call.id, held)
  context.events.emit({ kind: 'held', callId: call.id, view: viewOf(held) })
  return null
}

/**
 * Writes a newly prepared request over the one that waits. INVARIANT: L6, only over that very request in that very
 * state: a decision made meanwhile is not wiped out, it is acted on.
 */
export async function reissueHeld(held: Held, over: ExpectedRow, context: GateContext): Promise<boolean> {
  const { call } = held.judgement
  const committed = await context.commit({
    entries: [judgedEntry(held.judgement, context.ports.crypto), heldEntry(held)],
    move: {
      id: call.id,
      from: over.state,
      to: 'held',
      ...(over.requestDigest === null ? {} : { requestDigest: over.requestDigest }),
      set: { ...heldColumns(held, context), decision: null },
    },
    durable: mustBeDurable(held.judgement.risk.level),
  })
  if (committed.kind === 'conflict') return false
  context.live.set(call.id, held)
  context.events.emit({ kind: 'held', callId: call.id, view: viewOf(held) })
  return true
}

function heldEntry(held: Held) {
  const { body, digest } = held.request
  return stepEntry('held', held.judgement.call.id, held.openedAt, {
    request: digest,
    supervision: body.supervision,
    preview: body.previewHash,
    expiresAt: body.expiresAt,
    unbound: held.targets.filter((target) => target.content === 'unbound').length,
  })
}

function heldColumns(held: Held, context: GateContext) {
  const { judgement, request } = held
  const { call, risk, verdict, supervision } = judgement
  const given = plainCall(judgement.given, call.args, call.id)
  return {
    requestDigest: request.digest,
    supervision,
    risk: risk.level,
    rule: verdict.rule.id,
    expiresAt: request.body.expiresAt,
    sealed: sealCall(
      call.id,
      { given, session: call.session, view: viewOf(held), expiresAt: request.body.expiresAt, after: held.after },
      context.ports.crypto,
    ),
  }
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
    summary: redactText(effectSentence(call, risk), context.ports.crypto),
    sealed: null,
    openedAt: circumstances.now,
    expiresAt: null,
    decision: null,
    outcome: null,
    closedAt: null,
  }
}

type Conflict = Extract<Committed, { kind: 'conflict' }>['what']

export function refuseConflict(callId: string, what: Conflict): Refusal {
  switch (what) {
    case 'call-exists':
      return refusal(
        callId,
        'refused',
        'CS_CALL_DUPLICATE',
        'a call with this id was taken before and is not run again',
      )
    case 'call-moved':
      return refusal(callId, 'withdrawn', 'CS_WITHDRAWN', 'the call was closed before it could run')
    case 'grant-gone':
      return refusal(callId, 'stale', 'CS_STALE', 'the grant behind this call was revoked or used up; ask again')
    case 'over-limit':
      return refusal(callId, 'refused', 'CS_QUEUE_FULL', 'a limit of the policy was passed meanwhile; ask again')
    case 'full-session':
      return refusal(
        callId,
        'refused',
        'CS_QUEUE_FULL',
        'too many calls of this session wait for a person; wait for decisions before asking more',
      )
    case 'full-store':
      return refusal(
        callId,
        'refused',
        'CS_QUEUE_FULL',
        'too many calls wait for a person; decide or reject some before asking more',
      )
  }
}

/** Leaves an entry of a call that the store had no place for: a flood shows in the journal. */
export async function recordRefused(refused: Refusal, context: GateContext): Promise<Refusal> {
  const { callId, code } = refused
  const entry = stepEntry('refused', callId, context.ports.clock.now(), { code })
  await context.commit({ entries: [entry], durable: false })
  context.events.emit({ kind: 'refused', callId, refusal: refused })
  return refused
}
