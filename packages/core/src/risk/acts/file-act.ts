/** One thing that a program does to files, as its words say. Paths are as written. */
export type FileAct =
  /** Writes one plain file; `keepsNode`: into the file that is there, so that its other names see it. */
  | { readonly kind: 'file'; readonly path: string; readonly keepsNode: boolean }
  | { readonly kind: 'folder'; readonly path: string }
  /** Copies or moves something to a path, or into the folder that is there. */
  | {
      readonly kind: 'place'
      readonly from: string
      readonly to: string
      /** The name it gets in a folder; empty if it never goes into one. */
      readonly name: string
      readonly moves: boolean
      /** Folders too, with everything in them. */
      readonly whole: boolean
      readonly keepsNode: boolean
      /** What is appended to the name of a file that is there already; empty if no backup is made. */
      readonly suffix: string
    }
  /** Replaces one file by another with its content. */
  | { readonly kind: 'convert'; readonly from: string; readonly to: string; readonly keeps: boolean }
  /** Writes files whose names begin so; `first` is how the first of them ends. */
  | { readonly kind: 'prefix'; readonly path: string; readonly first: string }
  /** Reads a file, or a folder with everything in it, into an archive under `member`; null: under another name. */
  | {
      readonly kind: 'pack'
      readonly from: string
      readonly member: string | null
      /** Letters in the names of members that are replaced where they come first. */
      readonly renames?: Renaming
    }
  /** Writes the members of an archive into a folder. */
  | {
      readonly kind: 'unpack'
      readonly archive: string
      readonly format: 'tar' | 'zip'
      readonly into: string
      /** Names that are taken away from the beginning of each member. */
      readonly strip: number
    }
  /** Compiles C sources. */
  | { readonly kind: 'compile'; readonly sources: readonly string[] }
  /** Changes the files that a patch names: by its text, or by the path of its file. */
  | {
      readonly kind: 'patch'
      readonly from: { readonly text: string } | { readonly file: string }
      /** How many names are taken away from the paths in it; null: the file that is given. */
      readonly strip: number | null
      readonly original: string | null
      readonly onlyChecks: boolean
    }

export interface Renaming {
  readonly from: string
  readonly to: string
}

/** What a command does to files; null if its words don't say it all. */
export type FileActs = readonly FileAct[] | null

/** A plain mode for `chmod`, `install -m` and `mkdir -m`: nothing runs with its owner's rights. */
export function isPlainMode(mode: string): boolean {
  return /^0?[0-7]{3}$/.test(mode) || /^[ugoa]*[-+=][rwxX]*(?:,[ugoa]*[-+=][rwxX]*)*$/.test(mode)
}

/** A path joined with a name, without doubled slashes. */
export function below(folder: string, name: string): string {
  return `${folder.replace(/\/+$/, '')}/${name}`
}

/** The last name of a path; `.` and `..` stay. */
export function lastName(path: string): string {
  const plain = path.replace(/\/+$/, '')
  return plain.slice(plain.lastIndexOf('/') + 1)
}
