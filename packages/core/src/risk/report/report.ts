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

/** A simple command of a compound, with its own level: policy judges part by part. */
export interface RatedPart {
  readonly command: CommandPart
  readonly level: RiskLevel
  readonly paths: readonly PathUse[]
}

/** How much a call affects at once. */
export type Reach = 'one' | 'several' | 'many' | 'all' | 'unknown'

/** How bad a call could get, and why. */
export interface RiskReport {
  readonly level: RiskLevel
  readonly reversible: 'yes' | 'partly' | 'no' | 'unknown'
  /** How much the worst effect touches, with the number if known. */
  readonly magnitude: { readonly reach: Reach; readonly count?: number }
  /** The target of the worst effect: a path, a branch, a table, a host. Null if it has no name. */
  readonly target: string | null
  readonly reasons: readonly RiskReason[]
  /** Paths of the call itself and of every part. */
  readonly paths: readonly PathUse[]
  /** Empty if the call is not a command. */
  readonly parts: readonly RatedPart[]
  /** False if the command could not be parsed completely: then no rule may loosen because of it. */
  readonly understood: boolean
}
