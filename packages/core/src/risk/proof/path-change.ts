import { isInside } from '../path/category.ts'

/** Something that a part of a command changes. */
export interface PathChange {
  /** The index of the part. */
  readonly by: number
  readonly at: string
  /** One plain file is written there; or a folder is made; or anything may be there afterwards. */
  readonly to: 'file' | 'folder' | 'anything'
}

/** The changes by other parts of something at, above or below a path. */
export function touching(changes: readonly PathChange[], path: string, own: number): readonly PathChange[] {
  return changes.filter(({ by, at }) => by !== own && (isInside(at, path) || isInside(path, at)))
}
