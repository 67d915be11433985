import { type GateContext, mustBeDurable } from '../approval/context/gate-context.ts'
import { traceOf } from '../approval/decision/stored-decision.ts'
import { grantFrom, storeGrant } from '../approval/grants/signed-grant.ts'
import { needsMore, POLICY_MOVED } from '../approval/hold/await-decision.ts'
import { editedIn, type Passed, passUnasked } from '../approval/outcome/permission.ts'
import { spendPermit } from '../approval/outcome/permit.ts'
import { type Refusal, refusal } from '../approval/outcome/refusal.ts'
import { editedColumns, rowOf } from '../approval/record/call-row.ts'
import { closePassed } from '../approval/record/close.ts'
import { judgedEntry, startedEntry } from '../approval/record/journal-entries.ts'
import { recordConflict, refuseConflict } from '../approval/record/store-conflict.ts'
import type { Json } from '../call/json/json.ts'
import { stepEntry } from '../journal/entry.ts'
import { measureCall } from '../policy/evaluate/limit-usage.ts'
import { counterScope } from '../policy/model/limits.ts'
import { supervisionRank } from '../policy/model/supervision.ts'
import type { Kept } from '../ports/backups.ts'
import type { CallMove, Change, CounterUse, EntryDraft } from '../ports/store.ts'
import { effectSentence } from '../preview/effect.ts'
import { keepBackup } from './keep-backup.ts'
import { findDrift, namesNothing } from './target-drift.ts'

/** What came of the last look: it may run, it may not, or what it was judged by has moved. */
export type Begun = 'begun' | 'judge-again' | Refusal

/**
 * The last moment we own: looks again, spends the permit, and writes the intent. Only after `begun` may the effect
 * begin. INVARIANT: L1 L7, the permit is consumed and the intent recorded in one transaction.
 */
export async function begin(given: Passed, context: GateContext, mode: 'ask' | 'submit' = 'ask'): Promise<Begun> {
  const passed = isJudgedNow(given) ? given : await underPolicyNow(given, context)
  if (passed === 'judge-again' || passed.kind === 'refusal') return passed
  const { judgement, held, permit } = passed
  const { call } = judgement
  const drifted = namesNothing(judgement, held) ? null : await findDrift(judgement, held, context.ports.targets)
  if (drifted !== null) return refuseStale(passed, drifted, context)
  const kept = judgement.verdict.checks.length === 0 ? null : await keepBackup(passed, context)
  if (kept !== null && 'kind' in kept) return kept
  // SECURITY: A7 a copy takes its time: what changed meanwhile is neither what was shown nor what was copied.
  const since = kept === null ? null : await findDrift(judgement, held, context.ports.targets)
  if (since !== null) return refuseStale(passed, since, context)
  const { size: after } =
    passed.verified?.signed.decision.grant === undefined ? NO_HEAD : await context.ports.store.head()
  spendPermit(permit, call)
  const committed = await context.commit({
    ...intent(passed, context, mode, after, kept),
    durable: mustBeDurable(judgement.risk.level),
  })
  context.live.delete(call.id)
  if (committed.kind === 'conflict') {
    const moved = committed.what === 'over-limit' || committed.what === 'grant-gone'
    if (moved && held === null) return 'judge-again'
    const refused = refuseConflict(call.id, committed.what)
    // What somebody submitted and another process has moved on is that one's to end.
    if (held === null || (mode === 'submit' && !moved)) return recordConflict(refused, context)
    return closePassed(passed, held, refused, context)
  }
  if (judgement.supervision === 'notify') {
    context.events.emit({ kind: 'notice', callId: call.id, effect: effectSentence(call, judgement.risk), judgement })
  }
  context.events.emit({ kind: 'started', callId: call.id })
  return 'begun'
}

/**
 * Nobody was asked, nothing checked and nobody let past: judged this very moment. INVARIANT: L2, a call that waited for
 * its turn was judged by a policy that a deny may have been saved into since.
 */
function isJudgedNow({ held, judgement }: Passed): boolean {
  return held === null && judgement.verdict.checks.length === 0 && !judgement.paused
}

/**
 * INVARIANT: L2, a deny that came into force while a person decided still denies; and what now needs more than was
 * shown is stale. A call that nobody was asked about is simply judged again.
 */
async function underPolicyNow(passed: Passed, context: GateContext): Promise<Passed | Refusal | 'judge-again'> {
  const { judgement, held, verified } = passed
  // From medium up the last moment is looked at for itself; below it, the look that the decision came with serves.
  await context.refreshPolicy(mustBeDurable(judgement.risk.level) ? undefined : verified?.arrival)
  const isSame = context.policyNow().hash === judgement.verdict.policyHash
  // The same rules may say more by now: hours passed while a person thought.
  if (isSame && supervisionRank(context.judgeNow(judgement).supervision) <= supervisionRank(judgement.supervision))
    return passed
  if (held === null) return 'judge-again'
  const now = await context.judge(judgement.given, judgement.call.session)
  const answer = passUnasked(now)
  if (answer !== 'hold' && answer.kind === 'refusal') return closePassed(passed, held, answer, context)
  const lacking = verified === null ? answer === 'hold' : needsMore(now, held.request.body)
  if (lacking) return closePassed(passed, held, { outcome: 'stale', code: 'CS_STALE', message: POLICY_MOVED }, context)
  return { ...passed, judgement: now }
}

/** Nothing is granted, so nobody asks how long the journal was. */
const NO_HEAD = { size: 0 }

function intent(
  passed: Passed,
  context: GateContext,
  mode: 'ask' | 'submit',
  after: number,
  kept: Kept | null,
): Omit<Change, 'durable'> {
  const { judgement, held, verified, permit, row } = passed
  const { call, circumstances, verdict } = judgement
  const { clock, crypto, owners, signer } = context.ports
  const now = clock.now()
  const grant = verified === null ? null : grantFrom(verified.signed, call, verified.approver.name, now, crypto)
  const entries: EntryDraft[] = held === null ? [judgedEntry(judgement, crypto)] : []
  if (verdict.grant !== null) entries.push(stepEntry('grant-used', call.id, now, { grant: verdict.grant }))
  if (judgement.supervision === 'notify') entries.push(stepEntry('notice', call.id, now, { rule: verdict.rule.id }))
  for (const finding of judgement.safety.findings) {
    if (finding.status === 'fail')
      entries.push(stepEntry('override', call.id, now, { checker: finding.checker, by: permit.approvedBy }))
  }
  if (kept !== null) entries.push(stepEntry('backup', call.id, now, { ...kept }))
  if (grant !== null) entries.push(stepEntry('grant-given', call.id, now, { grant: grant as unknown as Json }))
  entries.push(startedEntry(call, permit.approvedBy, editedIn(passed) !== null, now))
  return {
    entries,
    ...(row === null
      ? {
          open: {
            call: { ...rowOf(judgement, mode, context), state: 'started' },
            maxHeldInSession: Infinity,
            maxHeld: Infinity,
          },
        }
      : { move: moveOf(passed, context) }),
    ...(verdict.grant === null ? {} : { useGrant: { id: verdict.grant, at: now } }),
    ...(grant === null || verified === null
      ? {}
      : {
          addGrant: storeGrant(
            { grant, after, key: verified.approver.id, owner: owners.self },
            verified.signed,
            signer,
          ),
        }),
    ...(Object.keys(circumstances.counters).length === 0 ? {} : { count: usesOf(passed, now, context) }),
  }
}

/** INVARIANT: L6, from the very state and request it was passed in: whatever came between is not run over. */
function moveOf(passed: Passed, context: GateContext): CallMove {
  const { row, verified, judgement } = passed
  const { clock, crypto, owners } = context.ports
  return {
    id: judgement.call.id,
    from: row?.state ?? 'held',
    to: 'started',
    ...(row?.requestDigest == null ? {} : { requestDigest: row.requestDigest }),
    set: {
      owner: owners.self,
      sealed: null,
      decision: traceOf(verified === null ? null : { at: clock.now(), ...verified }, crypto),
      ...(editedIn(passed) !== null ? editedColumns(judgement, context) : {}),
    },
  }
}

/**
 * What the call adds, for its session and for every scope that a limit counts. What one that nobody approved may come to
 * goes along; a person who approved has looked past the limit.
 */
function usesOf({ judgement, verified }: Passed, now: number, context: GateContext): readonly CounterUse[] {
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

async function refuseStale(passed: Passed, what: string, context: GateContext): Promise<Refusal> {
  const { call } = passed.judgement
  const message = `\`${what}\` changed after the call was shown; look at it and ask again`
  const refused = refusal(call.id, 'stale', 'CS_STALE', message)
  if (passed.held !== null) return closePassed(passed, passed.held, refused, context)
  const now = context.ports.clock.now()
  await context.commit({
    entries: [judgedEntry(passed.judgement, context.ports.crypto), stepEntry('stale', call.id, now)],
    durable: false,
  })
  return refused
}
