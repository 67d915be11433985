import type { ActKind } from './call-effects.ts'
import type { RunCommand } from './spawned-command.ts'

/** One thing that inline code does to the world. */
export interface CodeAct {
  readonly kind: ActKind | 'environment'
  /** Of `run`: what is started; null when it is not plain to see. */
  readonly run: RunCommand | null
  /** Paths in the order of the call; null for one that is not plain to see. */
  readonly paths: readonly (string | null)[]
  /** Of `query`: the SQL, when it is plain to see. */
  readonly sql?: string
}
