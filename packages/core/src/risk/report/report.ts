import type { CommandPart } from '../../command/model/decomposition.ts'
import type { RiskLevel } from './level.ts'

/** Why a level was given: a short clause for people, with the span of the command it is about. */
export interface RiskReason {
  readonly level: RiskLevel
  /** Stable id, such as `shell.unparsed`. */
  readonly rule: string
  readonly text: string
  readonly span?: { readonly start: number; readonly end: number }
}

/** How a call uses a path. */
export interface PathUse {
  readonly given: string
  /** The real path; null if unknown (a variable, a glob). */
  readonly real: string | null
  /** For a glob: the real folder that contains everything it can match. */
  readonly within?: string
  readonly use: 'read' | 'write' | 'delete' | 'execute'
}

/** A host that a call contacts. */
export interface HostUse {
  /** In its one spelling (`call/address`); null if it is not known. */
  readonly host: string | null
  /** Null if it is not known. */
  readonly port: number | null
  /** `read`: GET or HEAD without a body and without credentials, or its equivalent in other protocols. */
  readonly use: 'read' | 'send'
  /** False if the host is a program's usual one, which its settings may change, or was found by its shape alone. */
  readonly certain: boolean
}

/** A simple command of a compound, with its own level: policy judges part by part. */
export interface RatedPart {
  readonly command: CommandPart
  readonly level: RiskLevel
  /** The level before a rule of the policy raised it; absent: the same. */
  readonly rated?: RiskLevel
  /** The level inside the sandbox; absent: the same. */
  readonly contained?: RiskLevel
  /** Nothing about it suggests that it changes anything: inside the sandbox it gets the workspace read-only. */
  readonly onlyReads?: true
  /** It runs code of the project: inside the sandbox it sees the project's own `.env` files. */
  readonly runsProject?: true
  /**
   * What its words prove, without a sandbox: `reads` changes nothing anywhere; `changes` changes only known, ordinary paths of
   * the workspace; `runs` runs files of the project, and everything found in them is proven too. Absent: nothing is proven.
   */
  readonly proven?: 'reads' | 'changes' | 'runs'
  /**
   * What the proof takes for granted: that the settings of the workspace's repository run nothing (`repository`), which whoever
   * runs contained commands can make sure of for reading; that they were read (`settings`), which nothing replaces; or that
   * Python does not use compiled copies of modules (`caches`).
   */
  readonly provided?: 'repository' | 'settings' | 'caches'
  readonly paths: readonly PathUse[]
  /** Hosts it contacts. */
  readonly hosts: readonly HostUse[]
}

/** How much a call affects at once. */
export type Reach = 'one' | 'several' | 'many' | 'all' | 'unknown'

/** How bad a call could get, and why. */
export interface RiskReport {
  readonly level: RiskLevel
  /** The level before a rule of the policy raised it; absent: the same. */
  readonly rated?: RiskLevel
  readonly reversible: 'yes' | 'partly' | 'no' | 'unknown'
  /** How much the worst effect touches, with the number if known. */
  readonly magnitude: { readonly reach: Reach; readonly count?: number }
  /** The target of the worst effect: a path, a branch, a table, a host. Null if it has no name. */
  readonly target: string | null
  readonly reasons: readonly RiskReason[]
  /** Paths of the call itself and of every part. */
  readonly paths: readonly PathUse[]
  /** Hosts that the call itself and its parts contact. */
  readonly hosts: readonly HostUse[]
  /** Empty if the call is not a command. */
  readonly parts: readonly RatedPart[]
  /** The highest level of what was found about the call itself, besides the parts of its command; absent: none. */
  readonly beside?: RiskLevel
  /** Why a command can't run in the sandbox: it goes on in the background, or it needs a terminal. */
  readonly needsOutside?: 'background' | 'terminal'
  /** False if the command could not be parsed completely: then no rule may loosen because of it. */
  readonly understood: boolean
}
