import type { RiskLevel } from '../risk/report/level.ts'

/** A row of `recipe-files.yaml`: programs that run the contents of a file with a fixed name. */
export interface RecipeRow {
  readonly programs: readonly string[]
  /** The verbs that run the file; every call runs it if there are none. */
  readonly verbs?: readonly string[]
  readonly files: readonly string[]
  readonly fetched: RiskLevel
  /** The file runs in a container. */
  readonly contained?: boolean
  readonly line: number
}

/** Programs whose plain arguments are all files, by how they use them. */
export type PlainFiles = Readonly<Record<'delete' | 'write' | 'read', readonly string[]>>
