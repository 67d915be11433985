import type { Events } from './approval/context/events.ts'
import type { GateContext } from './approval/context/gate-context.ts'
import { gateEntry } from './journal/entry.ts'
import type { Policy } from './policy/compile/compiled-policy.ts'
import { resolvePolicyFolders } from './policy/evaluate/gather-circumstances.ts'
import { openCurrentPolicy, type PolicyNews } from './policy/load/current-policy.ts'
import { policyFolders } from './policy/match/folder.ts'
import type { Places } from './policy/model/circumstances.ts'
import type { PolicyProblem } from './policy/model/policy-problem.ts'
import { type Arrival, createFreshnessChecks } from './ports/file-freshness.ts'
import type { Ports } from './ports/ports.ts'
import type { EntryDraft } from './ports/store.ts'
import type { Checker } from './safety/checker.ts'
import { programChecker } from './safety/checkers/external-program.ts'

/** A policy with its resolved folders and its checkers: one value, so that no call is judged by parts of two policies. */
export interface PolicyInForce {
  readonly policy: Policy
  readonly folders: ReadonlyMap<string, string>
  /** The registered checkers, and the programs that policy files define. */
  readonly checkers: ReadonlyMap<string, Checker>
}

/** The policy in force, and the checks that keep it in step with its files. */
export interface PolicyWatch extends Pick<GateContext, 'arrive' | 'refreshPolicy' | 'checkPolicyFiles'> {
  inForce(): PolicyInForce
  /** The policy for a caller that arrived at `arrival`. */
  policyFor(arrival: Arrival): Promise<PolicyInForce>
  /** What is wrong with the policy files right now; empty when they are in force as written. */
  problems(): Promise<readonly PolicyProblem[]>
  /** The entry about files that were refused when the gate opened; null when they were fine. */
  openingEntry(at: number): EntryDraft | null
}

interface WatchOptions {
  readonly places: Places
  readonly checkers: ReadonlyMap<string, Checker>
  readonly events: Events
  record(entry: EntryDraft): Promise<unknown>
  /** Called once another policy is in force, or a file was refused. */
  onChange(): void
}

const SAME_TICK = Promise.resolve()

/** Loads the policy and watches its files. A file is read again only when its version changed. */
export async function watchPolicy(ports: Ports, options: WatchOptions): Promise<PolicyWatch> {
  const { clock } = ports
  const { places, checkers, events } = options
  const { current, news } = await openCurrentPolicy(ports.policyFiles, ports.crypto, () => [...checkers.keys()])
  let inForce = await resolve()
  let problems: readonly PolicyProblem[] = news.kind === 'refused' ? news.problems : []

  async function resolve(): Promise<PolicyInForce> {
    const { policy } = current
    const folders = await resolvePolicyFolders(policyFolders(policy.set, places), ports.targets)
    const programs = (policy.set.programs ?? []).map((one) => programChecker(one, ports.programs, ports.targets))
    return { policy, folders, checkers: new Map([...programs.map((one) => [one.name, one] as const), ...checkers]) }
  }

  async function apply(found: PolicyNews): Promise<void> {
    if (found.kind === 'same') return
    inForce = await resolve() // rules and the folders they name change together
    problems = found.kind === 'refused' ? found.problems : []
    await options.record(newsEntry(found, clock.now()))
    if (found.kind === 'changed') events.emit({ kind: 'policy-changed', hash: found.hash })
    else
      events.emit({
        kind: 'problem',
        code: 'CS_POLICY_INVALID',
        message: problemLines(found.problems)[0] ?? 'the policy is invalid',
      })
    options.onChange()
  }

  const freshness = createFreshnessChecks(current.isFresh, clock)
  let reading: Promise<void> | null = null
  let next: Promise<void> | null = null
  /** Reads one at a time, so that the last one read is in force; callers that arrive meanwhile share one more reading. */
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
    if (freshness.isCheckedSince(since) || freshness.isFresh()) return undefined // nearly always, without a promise
    reading = current
      .refresh()
      .then(apply)
      .finally(() => {
        reading = null
      })
    return reading
  }

  return {
    arrive: freshness.arrive,
    refreshPolicy,
    checkPolicyFiles: () => void freshness.isFresh(),
    inForce: () => inForce,
    async policyFor(arrival) {
      await SAME_TICK // all callers of this tick have arrived then, and share one check
      const refreshed = refreshPolicy(arrival)
      if (refreshed !== undefined) await refreshed
      return inForce
    },
    async problems() {
      await refreshPolicy()
      return problems
    },
    openingEntry: (at) => (news.kind === 'refused' ? newsEntry(news, at) : null),
  }
}

function newsEntry(news: Exclude<PolicyNews, { kind: 'same' }>, at: number): EntryDraft {
  if (news.kind === 'changed') return gateEntry('policy-changed', at, { hash: news.hash })
  return gateEntry('policy-refused', at, { hash: news.hash, problems: problemLines(news.problems) })
}

function problemLines(problems: readonly PolicyProblem[]): readonly string[] {
  return problems.slice(0, 10).map((problem) => `${problem.file}:${problem.line}: ${problem.message}`)
}
