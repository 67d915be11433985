import type { OwnKnowledge } from '../../knowledge/own-knowledge.ts'
import type { ChangeKind } from '../../ports/changes.ts'
import type { SandboxStatus } from '../../ports/sandbox.ts'
import type { BoundFile, FileLooks } from '../../risk/path/file-look.ts'
import type { LeavingSecrets, RiskCircumstances } from '../../risk/path/located-path.ts'
import type { Thresholds } from '../../risk/report/rating-input.ts'
import type { SeenThrough } from '../../runners/reading/seen-through.ts'
import type { WrittenRun } from '../../runners/written/gather-written.ts'
import type { Grant } from './grant.ts'

/** Places a policy may name. All absolute real paths. */
export interface Places {
  readonly workspace: string
  readonly home: string
  /** The folder of policy, store and keys: no call may touch it. */
  readonly gate: string
  readonly temp: string
}

/** A file that a gated call changed, with content that no person has seen. */
export interface UnseenChange {
  /** Relative to the workspace; with a slash at its end for a folder of installed code. */
  readonly path: string
  readonly kind: ChangeKind
  /** The content now. */
  readonly content: string
  readonly mark: string
  /** The content seen last: `absent` for a new file, null if it is not known. */
  readonly seen: string | null
  readonly agent: string
  readonly call: string
  /** The backup that has the content seen last. */
  readonly backup: string | null
}

/** What no person has seen in the workspace. */
export interface UnseenChanges {
  /** Why everything counts as unseen; null if only these files do. */
  readonly everything: string | null
  readonly files: readonly UnseenChange[]
}

/** What was true when a call was judged. Gathered by ports and kept in the journal, so that replay is exact. */
export interface Circumstances {
  /** Wall-clock milliseconds. */
  readonly now: number
  readonly places: Places
  /** Where the paths of the call really lead, by the spelling given; missing means it could not be resolved. */
  readonly resolved: ReadonlyMap<string, string>
  /** The match that matters most of each word with wildcards, by `pathKey`; absent: only ordinary files, or none. */
  readonly matched?: ReadonlyMap<string, string>
  /** The words that the shell puts in the place of each word with wildcards, by `pathKey`; absent: they are not all known. */
  readonly expanded?: RiskCircumstances['expanded'] & {}
  /** For each folder that the command reads whole, a file below it that may be secret, or null; missing: not known. */
  readonly below?: ReadonlyMap<string, string | null>
  /** Where PATH finds the programs of the call, by the name as written; missing means it was not found. */
  readonly programs?: ReadonlyMap<string, string>
  /** Where the folders that the policy names really lead, by their absolute spelling. */
  readonly folders?: ReadonlyMap<string, string>
  /** From where on the policy counts a call as large. */
  readonly thresholds?: Thresholds
  /** Servers that the policy trusts to say when a tool only reads. */
  readonly trustedServers?: ReadonlySet<string>
  /** The workspace or the call declares that it works on production; absent: nobody said so. */
  readonly inProduction?: true
  /** What people taught the gate about their own programs and tools. */
  readonly knowledge?: OwnKnowledge
  /** Whether the sandbox works here; absent: not asked, because the call is not a command that could use it. */
  readonly sandbox?: SandboxStatus['kind']
  /** The coding agent asks its own person, in its own prompt; absent: approvers are asked. */
  readonly agentPrompt?: true
  /** Credentials among the arguments that were read in this session; absent: none. */
  readonly leaving?: LeavingSecrets
  /** What is at the paths that the command changes or copies, by `pathKey`; absent: it changes none. */
  readonly looks?: FileLooks
  /** Files that were read to judge the call, besides those it runs, and their content; absent: none. */
  readonly bound?: readonly BoundFile[]
  /** Of the files that the call deletes, those that calls created and that nobody has seen or changed since; absent: none. */
  readonly created?: ReadonlySet<string>
  /** The files that the command runs; absent: it runs none. */
  readonly seen?: SeenThrough
  /** Changes that the command could load; absent: it could load none, or it runs in the sandbox. */
  readonly unseen?: UnseenChanges
  /** What the call adds to files that other programs run; absent: nothing. */
  readonly written?: readonly WrittenRun[]
  /** Uses so far per limit name: `calls`, `files`, `lines`. */
  readonly counters: Readonly<Record<string, number>>
  /** Grants alive for this session, verified. */
  readonly grants: readonly Grant[]
}
