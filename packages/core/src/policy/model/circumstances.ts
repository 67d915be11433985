import type { Thresholds } from '../../risk/report/rating-input.ts'
import type { Grant } from './grant.ts'

/** Places a policy may name. All absolute real paths. */
export interface Places {
  readonly workspace: string
  readonly home: string
  /** The folder of policy, store and keys: no call may touch it. */
  readonly gate: string
  readonly temp: string
}

/** What was true when a call was judged. Gathered by ports and kept in the journal, so that replay is exact. */
export interface Circumstances {
  /** Wall-clock milliseconds. */
  readonly now: number
  readonly places: Places
  /** Where the paths of the call really lead, by the spelling given; missing means it could not be resolved. */
  readonly resolved: ReadonlyMap<string, string>
  /** Where PATH finds the programs of the call, by the name as written; missing means it was not found. */
  readonly programs?: ReadonlyMap<string, string>
  /** Where the folders that the policy names really lead, by their absolute spelling. */
  readonly folders?: ReadonlyMap<string, string>
  /** From where on the policy counts a call as large. */
  readonly thresholds?: Thresholds
  /** Servers that the policy trusts to say when a tool only reads. */
  readonly trustedServers?: ReadonlySet<string>
  /** Uses so far per limit name: `calls`, `files`, `lines`. */
  readonly counters: Readonly<Record<string, number>>
  /** Grants alive for this session, verified. */
  readonly grants: readonly Grant[]
}
