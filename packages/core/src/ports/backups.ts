/** A file or folder that a call changes or removes, and that a backup can restore. */
export interface BackupTarget {
  /** The real path. */
  readonly real: string
  /** `delete`: it is removed or moved. */
  readonly use: 'write' | 'delete'
  /** The path as given, which may be a link, and the folder it is relative to; null when unknown. */
  readonly entry: { readonly given: string; readonly cwd: string } | null
  /** Where `real` is a folder: the names that are put into it, and nothing else in it changes. Absent: anything may. */
  readonly into?: readonly string[]
}

/** The largest backup that is made. */
export interface BackupBounds {
  readonly files: number
  readonly bytes: number
}

/** How long backups are kept. */
export interface BackupAges {
  readonly keepMs: number
  readonly mostBytes: number
}

/** The size of a possible backup. */
export type Measured =
  | { readonly kind: 'possible'; readonly files: number; readonly bytes: number; readonly absent: number }
  /** Why no backup can be made, and what to do; one line. */
  | { readonly kind: 'impossible'; readonly why: string }
  /** It would fit only in place of copies made lately. */
  | { readonly kind: 'crowded'; readonly why: string }

/** A backup that was made. */
export interface Kept {
  readonly name: string
  readonly files: number
  readonly bytes: number
  /** SHA-256 of its manifest: modes, times and the hash of every file. */
  readonly manifest: string
}

/** Backups of what calls are about to change. */
export interface Backups {
  /** Measures whether a backup of these is possible. No effect. */
  measure(targets: readonly BackupTarget[], bounds: BackupBounds, ages: BackupAges): Promise<Measured>
  /**
   * Backs these up, durably; throws CS_BACKUP when it cannot. Absent targets are recorded as absent. No copy
   * made lately is ever deleted for another; only one that a person `approved` may exceed the size of all copies.
   */
  keep(
    callId: string,
    targets: readonly BackupTarget[],
    bounds: BackupBounds,
    ages: BackupAges & { readonly approved: boolean },
  ): Promise<Kept>
  /** The text of a file in a backup; undefined when the backup is gone, or it has no text of this file up to `maxBytes`. */
  readText(name: string, real: string, maxBytes: number): Promise<string | undefined>
  /** Records the state of the targets after the call, so that an undo can recognise later changes. */
  note(name: string): Promise<void>
}
