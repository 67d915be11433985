import type { CommandPart } from '../../command/model/decomposition.ts'
import type { RiskLevel } from './level.ts'

/** Why a level was given: a short sentence a person understands, tied to a span of the command where there is one. */
export interface RiskReason {
  readonly level: RiskLevel
  /** Stable id of the rule of thumb, such as `shell.unparsed`. */
  readonly rule: string
  readonly text: string
  readonly span?: { readonly start: number; readonly end: number }
}

/** How a call uses a path. */
export interface PathUse {
  readonly given: string
  /** Where it really leads; null when it could not be known (a variable, a glob). */
  readonly real: string | null
  /** Of a glob: the real folder below which all it can name lies. */
  readonly within?: string
  readonly use: 'read' | 'write' | 'delete' | 'execute'
}

/** One simple command of a compound, with its own level: policy judges part by part. */
export interface RatedPart {
  readonly command: CommandPart
  readonly level: RiskLevel
  readonly paths: readonly PathUse[]
}

/** How much a call touches at once. */
export type Reach = 'one' | 'several' | 'many' | 'all' | 'unknown'

/** How bad a call could get, and why. */
export interface RiskReport {
  readonly level: RiskLevel
  readonly reversible: 'yes' | 'partly' | 'no' | 'unknown'
  /** How much the worst of it touches, with the number where it is known. */
  readonly magnitude: { readonly reach: Reach; readonly count?: number }
  /** What the worst of it acts on: a path, a branch, a table, a host. Null when it acts on nothing that has a name. */
  readonly target: string | null
  readonly reasons: readonly RiskReason[]
  /** Paths of the call itself, and of every part. */
  readonly paths: readonly PathUse[]
  /** Empty when the call is no command. */
  readonly parts: readonly RatedPart[]
  /** False when the command could not be fully understood: then nothing may loosen by it. */
  readonly understood: boolean
}
