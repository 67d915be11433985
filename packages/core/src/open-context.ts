import { createEvents } from './approval/context/events.ts'
import type { GateContext } from './approval/context/gate-context.ts'
import { createRefusedRoom } from './approval/context/refusal-rate-limit.ts'
import { createWaitingRoom } from './approval/context/waiting-callers.ts'
import { createLivingGrants, type LivingGrants } from './approval/grants/active-grants.ts'
import { endSessionGrants, sweepGrants } from './approval/grants/revocation.ts'
import { sweepAbandoned } from './approval/hold/sweep.ts'
import { CountersignError } from './errors.ts'
import { gateEntry, stepEntry } from './journal/entry.ts'
import { createJournal } from './journal/journal.ts'
import { journalOrigin } from './journal/origin.ts'
import type { Policy } from './policy/compile/compiled-policy.ts'
import { resolvePolicyFolders } from './policy/evaluate/gather-circumstances.ts'
import { openCurrentPolicy, type PolicyNews } from './policy/load/current-policy.ts'
import { policyFolders } from './policy/match/folder.ts'
import type { Places } from './policy/model/circumstances.ts'
import type { PolicyProblem } from './policy/model/policy-problem.ts'
import { type Arrival, createSharedLooks } from './ports/file-freshness.ts'
import type { Ports } from './ports/ports.ts'
import type { Change, Committed } from './ports/store.ts'
import { within } from './ports/timeout.ts'
import type { Checker } from './safety/checker.ts'
import { programChecker } from './safety/checkers/external-program.ts'
import { createSessions, type Sessions } from './sessions.ts'

/** How a gate is opened. */
export interface GateOptions {
  readonly places: Places
  /** `session`: a new session, gone with this process. `none`: no session, so only exact grants for minutes. */
  readonly session: 'session' | 'none'
  /** Checkers that rules may name, beside the built-in ones. */
  readonly checkers?: readonly Checker[]
  readonly bounds?: {
    readonly heldInSession?: number
    readonly held?: number
    /** What held calls may weigh in the store: 32 MiB a session, 256 MiB in all. */
    readonly heldBytesInSession?: number
    readonly heldBytes?: number
    readonly argumentBytes?: number
  }
  /** Facts recorded when the session opens: tier, home chosen by a flag, version. */
  readonly opening?: { readonly [key: string]: string }
  /** Opens no session and leaves no entry of its own: for surfaces that only read or decide. */
  readonly observer?: boolean
}

/** A policy with where its folders lead and the checkers it may name: one value, so that no call is judged by half of each. */
export interface PolicyInForce {
  readonly policy: Policy
  readonly folders: ReadonlyMap<string, string>
  /** Those registered, and the programs that policy files define. */
  readonly checkers: ReadonlyMap<string, Checker>
}

/** What the six steps of one gate share. */
export interface OpenContext extends Omit<GateContext, 'judge' | 'judgeWith' | 'judgeNow' | 'previewOf'> {
  /** The session of the gate's first handle. */
  readonly session: string | null
  readonly sessions: Sessions
  /** The policy every call is judged by, and where the folders it names lead. */
  inForce(): PolicyInForce
  readonly grants: LivingGrants
  readonly argumentBytes: number
  /** What is wrong with the policy files right now; empty when they are in force as written. */
  problems(): readonly PolicyProblem[]
  close(): Promise<void>
}

const CEILING = 10_000
const CLOSING_MS = 10_000

/** Opens what the steps stand on: journal, waiting room, policy; ends what a dead process left behind. */
export async function openContext(ports: Ports, options: GateOptions): Promise<OpenContext> {
  const { clock, crypto, store } = ports
  const events = createEvents()
  const session = options.session === 'none' || options.observer ? null : crypto.randomId()
  const registered = new Map((options.checkers ?? []).map((checker) => [checker.name, checker]))
  const journal = createJournal({
    store,
    crypto,
    clock,
    signer: ports.signer,
    heads: ports.heads,
    origin: journalOrigin(ports.signer),
    onProblem: ({ code, message }) => events.emit({ kind: 'problem', code, message }),
  })
  const grants = createLivingGrants(ports)
  const inFlight = new Set<Promise<unknown>>()
  /** Sessions in which something was granted. */
  const granted = new Set<string>()

  async function commit(change: Change) {
    const beside = inFlight.size - room.size - 1 // those that wait for a person write nothing
    const committed = checkedCommit(await store.commit(change, beside))
    if (change.addGrant || change.useGrant || change.revokeGrant) grants.stale()
    if (change.addGrant?.session) granted.add(change.addGrant.session)
    if (committed.kind === 'committed') journal.afterCommit(committed.size)
    return committed
  }

  async function endSession(ended: string): Promise<void> {
    // What cannot be written now is swept once this process is gone; the session itself is over all the same.
    if (granted.delete(ended)) await endSessionGrants(ended, { ports, commit }).catch(() => {})
  }

  const { current, news } = await openCurrentPolicy(ports.policyFiles, crypto, () => [...registered.keys()])

  let problems: readonly PolicyProblem[] = news.kind === 'refused' ? news.problems : []

  async function lookUp(): Promise<PolicyInForce> {
    const { policy } = current
    const folders = await resolvePolicyFolders(policyFolders(policy.set, options.places), ports.targets)
    const defined = (policy.set.programs ?? []).map((program) => programChecker(program, ports.programs, ports.targets))
    return { policy, folders, checkers: new Map([...defined.map((one) => [one.name, one] as const), ...registered]) }
  }
  let inForce = await lookUp()

  async function heed(found: PolicyNews): Promise<void> {
    if (found.kind === 'same') return
    inForce = await lookUp() // rules and the folders they name change together
    problems = found.kind === 'refused' ? found.problems : []
    await commit({ entries: [newsEntry(found, clock.now())], durable: false })
    if (found.kind === 'changed') events.emit({ kind: 'policy-changed', hash: found.hash })
    else
      events.emit({
        kind: 'problem',
        code: 'CS_POLICY_INVALID',
        message: problemLines(found.problems)[0] ?? 'the policy is bad',
      })
    room.policyChanged()
  }

  const looks = createSharedLooks(current.isFresh, clock)
  let reading: Promise<void> | null = null
  let next: Promise<void> | null = null
  /** Never two at once, so that what was read last is what holds; whoever comes meanwhile shares one more reading. */
  function refreshPolicy(since: Arrival = Number.POSITIVE_INFINITY): Promise<void> | undefined {
    if (reading !== null) {
      next ??= reading
        .catch(() => {})
        .then(() => {
          next = null
          return refreshPolicy()
        })
      return next
    }
    if (looks.isSeenSince(since) || looks.isFresh()) return undefined // nearly always; a promise for each step of it costs as much as the look
    const mine = current.refresh().then(heed)
    reading = mine.finally(() => {
      reading = null
    })
    return reading
  }

  const room = createWaitingRoom(store, clock, () => {
    refreshPolicy()?.catch(() => {}) // the next call reads it again, and refuses if it still cannot
  })

  const context: OpenContext = {
    ports,
    room,
    events,
    session,
    sessions: createSessions(
      session,
      crypto.randomId,
      (opened) => commit({ entries: [openedEntry(opened, inForce.policy, options, clock.now())], durable: false }),
      endSession,
    ),
    grants,
    inForce: () => inForce,
    policyNow: () => inForce.policy,
    refusals: createRefusedRoom(clock),
    live: new Map(),
    inFlight,
    bounds: {
      heldInSession: Math.min(options.bounds?.heldInSession ?? 50, CEILING),
      held: Math.min(options.bounds?.held ?? 500, CEILING),
      heldBytesInSession: options.bounds?.heldBytesInSession ?? 32 * 1024 * 1024,
      heldBytes: options.bounds?.heldBytes ?? 256 * 1024 * 1024,
    },
    argumentBytes: options.bounds?.argumentBytes ?? 1024 * 1024,
    commit,
    refreshPolicy,
    arrive: looks.arrive,
    lookAtPolicy: () => void looks.isFresh(),
    problems: () => problems,
    async close() {
      room.leave()
      // A tool that never ends must not keep the journal from its last checkpoint; its call is later *unknown*.
      await within(clock, CLOSING_MS, 'CS_INTERNAL', 'a tool is still running', Promise.allSettled(inFlight)).catch(
        () => {},
      )
      for (const one of granted) await endSession(one)
      await tellUntold(context).catch(() => {}) // a store that cannot be written says so elsewhere
      await journal.close()
      await store.close()
    },
  }
  if (!options.observer) await open(context, options, news)
  return context
}

async function open(context: OpenContext, options: GateOptions, news: PolicyNews): Promise<void> {
  const { clock } = context.ports
  const entries = [openedEntry(context.session, context.inForce().policy, options, clock.now())]
  if (news.kind === 'refused') entries.push(newsEntry(news, clock.now()))
  await context.commit({ entries, durable: false })
  await sweepAbandoned(context)
  await sweepGrants(context)
}

/** Refusals that had no entry and that no later one told of. */
async function tellUntold({ refusals, ports, commit }: OpenContext): Promise<void> {
  const now = ports.clock.now()
  const entries = refusals.untold().map(({ callId, unwritten }) => stepEntry('refused', callId, now, { unwritten }))
  if (entries.length > 0) await commit({ entries, durable: false })
}

function openedEntry(session: string | null, policy: Policy, { places, opening }: GateOptions, at: number) {
  return gateEntry('opened', at, { session, places: { ...places }, policy: policy.hash, ...opening })
}

function newsEntry(news: Exclude<PolicyNews, { kind: 'same' }>, at: number) {
  if (news.kind === 'changed') return gateEntry('policy-changed', at, { hash: news.hash })
  return gateEntry('policy-refused', at, { hash: news.hash, problems: problemLines(news.problems) })
}

function problemLines(problems: readonly PolicyProblem[]): readonly string[] {
  return problems.slice(0, 10).map((problem) => `${problem.file}:${problem.line}: ${problem.message}`)
}

const CONFLICTS: ReadonlySet<string> = new Set<Extract<Committed, { kind: 'conflict' }>['what']>([
  'call-exists',
  'call-moved',
  'grant-gone',
  'full-session',
  'full-store',
  'heavy-session',
  'heavy-store',
  'over-limit',
])

/** SECURITY: A21 only an answer of the contract counts as written: whatever else a store says, nothing runs on it. */
function checkedCommit(answer: Committed): Committed {
  if (answer?.kind === 'committed' && Number.isSafeInteger(answer.size)) return answer
  if (answer?.kind === 'conflict' && CONFLICTS.has(answer.what)) return answer
  throw new CountersignError('CS_STORE_WRITE', 'the store gave an answer that is none; check the store and try again')
}
