import { createEvents } from './approval/context/events.ts'
import type { GateContext } from './approval/context/gate-context.ts'
import { createRefusalRateLimit } from './approval/context/refusal-rate-limit.ts'
import { isResumable } from './approval/context/resumable-session.ts'
import { createUnfinishedWork } from './approval/context/unfinished-work.ts'
import { createWaitingCallers } from './approval/context/waiting-callers.ts'
import { type ActiveGrants, createActiveGrants } from './approval/grants/active-grants.ts'
import { endSessionGrants, sweepGrants } from './approval/grants/registry.ts'
import { sweepAbandoned } from './approval/hold/sweep.ts'
import { closeUnsure } from './approval/record/close.ts'
import { CountersignError } from './errors.ts'
import { recoverChanges } from './execute/record-changes.ts'
import { gateEntry, stepEntry } from './journal/entry.ts'
import { createJournal } from './journal/journal.ts'
import { journalKeys } from './journal/signed-heads.ts'
import type { Places } from './policy/model/circumstances.ts'
import { type PolicyWatch, watchPolicy } from './policy-in-force.ts'
import { rememberUses } from './ports/local-counters.ts'
import type { Ports } from './ports/ports.ts'
import type { Change, Committed, EntryDraft } from './ports/store.ts'
import type { ClockDifference } from './ports/store-clock.ts'
import { boundPorts, within } from './ports/timeouts.ts'
import type { Checker } from './safety/checker.ts'
import { createReadSecrets, type ReadSecrets } from './secrets/read-secrets.ts'

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
    /** How large held calls may be in the store: 32 MiB per session, 256 MiB in all. */
    readonly heldBytesInSession?: number
    readonly heldBytes?: number
    readonly argumentBytes?: number
  }
  /** Facts recorded when the session opens: tier, home chosen by a flag, version. */
  readonly opening?: { readonly [key: string]: string }
  /** Opens no session and writes no `opened` entry: for surfaces that only read or decide. */
  readonly observer?: boolean
}

/** The sessions of this process. */
export interface Sessions {
  has(session: string | null): boolean
  /** Opens another session and records it: a new one, or one that its asker takes up. */
  open(session?: string): Promise<string>
  /** Takes part in a session that belongs to another process, such as a coding agent's. */
  join(session: string, owner: string): void
  leave(session: string): void
  /** Ends a session and its grants. */
  close(session: string): Promise<void>
}

/** What all sessions of one gate share: the context of the steps, but for the judge. */
export interface OpenContext extends Omit<GateContext, 'judge' | 'judgeWith' | 'judgeNow' | 'learn'>, PolicyWatch {
  readonly places: Places
  /** The session of the gate's first handle; null for a gate without one. */
  readonly session: string | null
  readonly sessions: Sessions
  readonly grants: ActiveGrants
  readonly argumentBytes: number
  close(): Promise<void>
}

const MAX_HELD = 10_000
const CLOSING_MS = 10_000

/** Opens journal, waiting callers and policy, and ends the calls and grants that a dead process left behind. */
export async function openContext(world: Ports, options: GateOptions): Promise<OpenContext> {
  const ports = rememberUses(boundPorts(world))
  const { clock, crypto, store, signer, heads } = ports
  const { places, bounds = {} } = options
  const events = createEvents()
  const session = options.session === 'none' || options.observer ? null : crypto.randomId()
  const journal = createJournal({
    store,
    crypto,
    clock,
    signer,
    heads,
    origin: journalKeys(ports).origin,
    onProblem: ({ code, message }) => events.emit({ kind: 'problem', code, message }),
  })
  const inFlight = new Set<Promise<unknown>>()
  const unfinished = createUnfinishedWork(clock)
  /** Sessions in which something was granted. */
  const granted = new Set<string>()
  /** Sessions that live here, with the process they belong to. */
  const living = new Map<string | null, string>([[session, ports.owners.self]])
  const grants = createActiveGrants(ports, (one) => living.get(one))
  const read = new Map<string | null, ReadSecrets>()

  async function committing(change: Change, beside: number): Promise<Committed> {
    try {
      return await store.commit(change, beside)
    } catch (error) {
      if (error instanceof CountersignError && error.code === 'CS_STORE_UNSURE')
        await closeUnsure(change, { ports, events, commit, unfinished })
      throw error
    }
  }

  async function commit(change: Change): Promise<Committed> {
    const beside = inFlight.size - waiting.size - 1 // callers that wait for a person write nothing
    const committed = checkCommitted(await committing(change, beside))
    if (change.addGrant || change.useGrant || change.revokeGrant) grants.invalidate()
    const grantedTo = change.addGrant?.session ?? null
    if (grantedTo !== null && living.get(grantedTo) === ports.owners.self) granted.add(grantedTo)
    if (committed.kind === 'committed') journal.afterCommit(committed.size)
    unfinished.resume()
    return committed
  }

  async function endSession(ended: string): Promise<void> {
    // If this cannot be written now, the grants are swept once this process is gone; the session is over all the same.
    if (granted.delete(ended)) await endSessionGrants(ended, { ports, commit }).catch(() => {})
  }

  const policy = await watchPolicy(ports, {
    places,
    events,
    checkers: new Map((options.checkers ?? []).map((checker) => [checker.name, checker])),
    record: (entry) => commit({ entries: [entry], durable: false }),
    onChange: () => waiting.policyChanged(),
  })

  const waiting = createWaitingCallers(store, clock, {
    isShared: ports.gates !== undefined,
    isElsewhere: ({ session, owner }) => isResumable(session) && owner !== ports.owners.self,
    onPoll: () => {
      policy.refreshPolicy()?.catch(() => {}) // the next call reads it again, and is refused if it still cannot be read
    },
  })

  const opened = (of: string | null): EntryDraft =>
    gateEntry('opened', clock.now(), {
      session: of,
      places: { ...places },
      policy: policy.inForce().policy.hash,
      ...options.opening,
    })

  let leaveClock = () => {}

  const context: OpenContext = {
    ...policy,
    policyNow: () => policy.inForce().policy,
    ports,
    places,
    waiting,
    events,
    session,
    sessions: {
      has: (one) => living.has(one),
      async open(one = crypto.randomId()) {
        await commit({ entries: [opened(one)], durable: false })
        living.set(one, ports.owners.self)
        return one
      },
      join(one, owner) {
        living.set(one, owner)
        grants.invalidate()
      },
      leave(one) {
        living.delete(one)
        read.delete(one)
      },
      async close(one) {
        living.delete(one)
        read.delete(one)
        await endSession(one)
      },
    },
    grants,
    asker: session,
    owner: ports.owners.self,
    refusals: createRefusalRateLimit(clock),
    live: new Map(),
    absent: new Map(),
    readSecrets(one) {
      const known = read.get(one) ?? createReadSecrets(crypto.randomId)
      read.set(one, known)
      return known
    },
    inFlight,
    unfinished,
    bounds: {
      maxHeldInSession: Math.min(bounds.heldInSession ?? 50, MAX_HELD),
      maxHeld: Math.min(bounds.held ?? 500, MAX_HELD),
      maxBytesInSession: bounds.heldBytesInSession ?? 32 * 1024 * 1024,
      maxBytes: bounds.heldBytes ?? 256 * 1024 * 1024,
    },
    argumentBytes: bounds.argumentBytes ?? 1024 * 1024,
    commit,
    async close() {
      leaveClock()
      waiting.leave()
      unfinished.close()
      // A tool that never ends must not delay the last checkpoint; its call is later *unknown*.
      const ending = Promise.allSettled(inFlight)
      await within(clock, CLOSING_MS, 'CS_INTERNAL', 'a tool is still running', ending).catch(() => {})
      for (const one of granted) await endSession(one)
      await recordUnwritten(context).catch(() => {}) // a store that cannot be written is reported elsewhere
      await journal.close()
      await store.close()
    },
  }
  if (options.observer) return context
  leaveClock = watchStoreClock(context)
  const refused = policy.openingEntry(clock.now())
  await commit({ entries: [opened(session), ...(refused === null ? [] : [refused])], durable: false })
  await sweepAbandoned(context)
  await recoverChanges(context)
  await sweepGrants(context)
  return context
}

/** Records when the clocks of this machine and the shared store differ, from now on. */
function watchStoreClock(context: OpenContext): () => void {
  const { storeClock } = context.ports
  if (storeClock === undefined) return () => {}
  if (storeClock.difference().kind !== 'close') void recordClock(storeClock.difference(), context)
  return storeClock.onChange((difference) => void recordClock(difference, context))
}

/** Records that clocks differ, and tells whoever listens. */
async function recordClock(difference: ClockDifference, { ports, events, commit }: OpenContext): Promise<void> {
  const { kind, offsetMs, roundTripMs, jumpedMs } = difference
  const message =
    jumpedMs !== 0
      ? `a clock jumped by ${jumpedMs} ms`
      : `the database’s clock is ${offsetMs} ms ahead of this machine’s`
  if (kind !== 'close' || jumpedMs !== 0)
    events.emit({
      kind: 'problem',
      code: 'CS_CLOCK',
      message: `${message}; check both with \`countersign store check\``,
    })
  ports.telemetry?.problem({ kind: 'clock', difference: kind, offsetMs })
  const body = { difference: kind, offset: offsetMs, 'round-trip': roundTripMs, jump: jumpedMs }
  await commit({ entries: [gateEntry('clock-changed', ports.clock.now(), body)], durable: false }).catch(() => {}) // the store tells of its own failures
}

/** Records how many refusals got no entry of their own and were not counted in a later one. */
async function recordUnwritten({ refusals, ports, commit }: OpenContext): Promise<void> {
  const now = ports.clock.now()
  const entries = refusals.unrecorded().map(({ callId, unwritten }) => stepEntry('refused', callId, now, { unwritten }))
  if (entries.length > 0) await commit({ entries, durable: false })
}

const CONFLICTS: ReadonlySet<string> = new Set<Extract<Committed, { kind: 'conflict' }>['what']>([
  'call-exists',
  'call-moved',
  'grant-gone',
  'full-session',
  'full-store',
  'last-places',
  'heavy-session',
  'heavy-store',
  'over-limit',
])

/** SECURITY: A21 only an answer of the contract counts as written: nothing runs on any other. */
function checkCommitted(answer: Committed): Committed {
  if (answer?.kind === 'committed' && Number.isSafeInteger(answer.size)) return answer
  if (answer?.kind === 'conflict' && CONFLICTS.has(answer.what)) return answer
  throw new CountersignError('CS_STORE_WRITE', 'the store returned an invalid response; check the store and try again')
}
