import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { stepEntry } from '../../journal/entry.ts'
import { measureCall } from '../../policy/evaluate/limit-usage.ts'
import { counterScope } from '../../policy/model/limits.ts'
import type { Kept } from '../../ports/backups.ts'
import type { UnrecordedCall } from '../../ports/changes.ts'
import type { CallMove, Change, CounterUse, EntryDraft } from '../../ports/store.ts'
import { warningsOf } from '../../safety/checker.ts'
import { redactJson } from '../../secrets/redact.ts'
import { type GateContext, mustBeDurable } from '../context/gate-context.ts'
import { isResumable } from '../context/resumable-session.ts'
import { traceOf } from '../decision/stored-decision.ts'
import { grantFrom, storeGrant } from '../grants/signed-grant.ts'
import type { Refusal } from '../outcome/outcome.ts'
import { type ClearedCall, editedJudgement } from '../outcome/permission.ts'
import { spendPermit } from '../outcome/permit.ts'
import { editedColumns, rowOf } from './call-row.ts'
import { refuseCleared } from './close.ts'
import { judgedEntry, startedEntry } from './journal-entries.ts'
import { recordConflict, refuseConflict } from './store-conflict.ts'

/** How a call was asked for, and the backup that was made for it. */
export interface StartOptions {
  readonly mode: 'ask' | 'submit'
  readonly backup: Kept | null
  /** The call may change files, which are recorded with its outcome. */
  readonly unrecorded: UnrecordedCall | null
}

/**
 * Spends the permit and records the intent. INVARIANT: L1 L7, both happen in one transaction, before the effect.
 * Returns 'judge-again' for an unasked call whose grant or limit is used up by now.
 */
export async function recordStart(
  cleared: ClearedCall,
  options: StartOptions,
  context: GateContext,
): Promise<'started' | 'judge-again' | Refusal> {
  const { judgement, held, permit, verified } = cleared
  const { call, risk } = judgement
  // Only a new grant needs to know how long the journal is.
  const journalSize = verified?.signed.decision.grant === undefined ? 0 : (await context.ports.store.head()).size
  spendPermit(permit, call)
  const change = intentOf(cleared, options, journalSize, context)
  const committed = await context.commit({ ...change, durable: mustBeDurable(risk.level) })
  context.live.delete(call.id)
  if (committed.kind === 'committed') return 'started'

  const isUsedUp = committed.what === 'over-limit' || committed.what === 'grant-gone'
  if (isUsedUp && held === null) return 'judge-again'
  const refused = refuseConflict(call.id, committed.what)
  // A submitted call that another process has moved on is closed by that process, and so is one whose asker went there.
  const isElsewhere = (options.mode === 'submit' || isResumable(call.session)) && !isUsedUp
  return held === null || isElsewhere ? recordConflict(refused, context) : refuseCleared(cleared, refused, context)
}

function intentOf(
  cleared: ClearedCall,
  { mode, backup, unrecorded }: StartOptions,
  journalSize: number,
  context: GateContext,
): Omit<Change, 'durable'> {
  const { judgement, verified, row } = cleared
  const { call, circumstances, verdict } = judgement
  const { clock, crypto, signer } = context.ports
  const now = clock.now()
  const shown = { call, contain: verdict.contain ?? null }
  const grant = verified === null ? null : grantFrom(verified.signed, shown, verified.approver.name, now, crypto)
  const entries = [...stepsBefore(cleared, now, context)]
  if (backup !== null) entries.push(stepEntry('backup', call.id, now, { ...backup }))
  if (grant !== null) entries.push(stepEntry('grant-given', call.id, now, { grant: grant as unknown as Json }))
  const { permit } = cleared
  // An exception puts a call into the sandbox that was judged to run outside.
  const moved = permit.contain === (verdict.contain ?? null) ? null : permit.contain
  entries.push(startedEntry(call, permit.approvedBy, editedJudgement(cleared) !== null, now, moved))
  const opened = { ...rowOf(judgement, mode, context), owner: context.owner, state: 'started' } as const
  return {
    entries,
    ...(unrecorded === null ? {} : { unrecorded }),
    ...seenBy(cleared, now),
    ...(row === null
      ? { open: { call: opened, maxHeldInSession: Infinity, maxHeld: Infinity } }
      : { move: moveOf(cleared, now, context) }),
    ...(verdict.grant === null ? {} : { useGrant: { id: verdict.grant, at: now } }),
    ...(grant === null || verified === null
      ? {}
      : {
          addGrant: storeGrant(
            { grant, after: journalSize, key: verified.approver.id, owner: context.owner },
            verified.signed,
            signer,
          ),
        }),
    ...(Object.keys(circumstances.counters).length === 0 ? {} : { count: usesOf(cleared, now, context) }),
  }
}

/** Contents whose whole diff was on the approved card. INVARIANT: L5, what was not shown was not seen. */
function seenBy({ held, verified, judgement }: ClearedCall, at: number): Pick<Change, 'seen'> {
  const preview = held?.preview
  if (verified === null || preview?.kind !== 'command' || preview.unseen === undefined) return {}
  const files = preview.unseen.files.filter(({ whole }) => whole)
  if (files.length === 0) return {}
  return {
    seen: {
      workspace: judgement.circumstances.places.workspace,
      files: files.map(({ path, content }) => ({ path, content, mark: '' })),
      call: judgement.call.id,
      at,
    },
  }
}

/** Entries about why the call may run: its judgement if nobody was asked, the grant used, the notice, overridden checks. */
function* stepsBefore(
  { judgement, held, permit }: ClearedCall,
  now: number,
  { ports }: GateContext,
): Iterable<EntryDraft> {
  const { call, verdict, supervision, safety } = judgement
  if (held === null) yield judgedEntry(judgement, ports.crypto)
  if (verdict.grant !== null) yield stepEntry('grant-used', call.id, now, { grant: verdict.grant })
  if (supervision === 'notify') {
    const warnings = warningsOf(safety)
    const more = warnings.length === 0 ? {} : { warnings: redactJson([...warnings], ports.crypto) }
    yield stepEntry('notice', call.id, now, { rule: verdict.rule.id, ...more })
  }
  for (const { status, checker } of safety.findings)
    if (status === 'fail') yield stepEntry('override', call.id, now, { checker, by: permit.approvedBy })
}

/** INVARIANT: L6, only from the state and request in which it was cleared: a later change of the row is not overwritten. */
function moveOf(cleared: ClearedCall, now: number, context: GateContext): CallMove {
  const { row, verified, judgement, permit } = cleared
  const { crypto } = context.ports
  const edited = editedJudgement(cleared)
  return {
    id: judgement.call.id,
    from: row?.state ?? 'held',
    to: 'started',
    ...(row?.requestDigest == null ? {} : { requestDigest: row.requestDigest }),
    set: {
      owner: context.owner,
      sealed: null,
      decision: traceOf(verified === null ? null : { at: now, ...verified }, crypto, judgement.call.args),
      ...(edited === null ? {} : editedColumns(edited, context)),
      ...(permit.contain === null ? {} : { contain: canonicalJson(permit.contain as unknown as Json) }),
    },
  }
}

/**
 * What the call adds to each counter: of its session, and of every scope that a limit counts. A call nobody approved must
 * stay within the limits; a person who approved has accepted going past them.
 */
function usesOf({ judgement, verified }: ClearedCall, now: number, context: GateContext): readonly CounterUse[] {
  const { call, risk, circumstances } = judgement
  const session = call.session ?? ''
  const limits = context.policyNow().limits.map((limit) => ({
    ...limit,
    scope: counterScope(limit, call.session, circumstances.places.workspace),
  }))
  return Object.entries(measureCall(call, risk)).flatMap(([name, amount]) => {
    const scopes = new Set([session, ...limits.flatMap((limit) => (limit.name === name ? limit.scope : []))])
    return [...scopes].map((scope) => {
      const bounds = limits
        .filter((limit) => limit.name === name && limit.scope === scope)
        .map(({ windowMs, most }) => ({ from: windowMs === null ? 0 : now - windowMs, most }))
      return { session: scope, name, at: now, amount, ...(verified === null ? { bounds } : {}) }
    })
  })
}
