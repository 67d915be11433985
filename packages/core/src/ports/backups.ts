/** Something a call changes or takes away, and that can be put back from a copy. */
export interface BackupTarget {
  /** Where it really leads. */
  readonly real: string
  /** `delete`: the name is taken away, or moved. */
  readonly use: 'write' | 'delete'
  /** The name itself, which may be a link, and the folder it is spelled from; null where that cannot be told. */
  readonly entry: { readonly given: string; readonly cwd: string } | null
}

/** The largest copy that is made. */
export interface BackupBounds {
  readonly files: number
  readonly bytes: number
}

/** How long copies stay. */
export interface BackupAges {
  readonly keepMs: number
  readonly mostBytes: number
}

/** What a copy would hold. */
export type Measured =
  | { readonly kind: 'possible'; readonly files: number; readonly bytes: number; readonly absent: number }
  /** Why no copy can be made; one line that says what to do. */
  | { readonly kind: 'impossible'; readonly why: string }

/** A copy that was made. */
export interface Kept {
  /** Under which name it is kept. */
  readonly name: string
  readonly files: number
  readonly bytes: number
  /** SHA-256 of its manifest: what was there, with modes, times and the hash of every file. */
  readonly manifest: string
}

/** Copies of what calls are about to change. */
export interface Backups {
  /** Looks whether a copy of these is possible. No effect. */
  measure(targets: readonly BackupTarget[], bounds: BackupBounds): Promise<Measured>
  /** Copies these, on disk before it answers; throws CS_BACKUP when it cannot. What is absent is recorded as absent. */
  keep(callId: string, targets: readonly BackupTarget[], bounds: BackupBounds, ages: BackupAges): Promise<Kept>
  /** Notes what the targets of a copy look like now that the call has ended, so that later changes can be told apart. */
  note(name: string): Promise<void>
}
