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

/** How a file that others run is read. */
export const RUN_FILE_FORMATS = [
  'shell',
  'python',
  'node',
  'ruby',
  'pth',
  'make',
  'json',
  'yaml',
  'toml',
  'ini',
  'attributes',
] as const

/** Keys of a settings file: their values are commands, or change what runs. */
export interface RunKeys {
  readonly keys: readonly string[]
  readonly when?: string
  readonly effect?: string
  /** Only values that match count. */
  readonly value?: string
  /** The level of a changed setting; `high` without it. */
  readonly level?: 'medium' | 'high'
  /** A list is the words of one command, not several commands. */
  readonly argv?: boolean
}

/** A row of `run-files.yaml`: files whose content other programs run. */
export interface RunFileRow {
  readonly files: readonly string[]
  readonly format: (typeof RUN_FILE_FORMATS)[number]
  /** When the whole file runs. */
  readonly when?: string
  readonly runs?: readonly RunKeys[]
  readonly settings?: readonly RunKeys[]
  readonly line: number
}
