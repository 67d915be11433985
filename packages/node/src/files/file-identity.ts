import { accessSync, constants, type Stats, statSync } from 'node:fs'

/**
 * Whether two stats of a path are of the same, unchanged file. Two missing files are equal. Times are
 * fractions of a millisecond, finer than file systems keep them, and cheaper than whole nanoseconds.
 */
export function isSameFile(one: Stats | undefined, other: Stats | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  const place = one.dev === other.dev && one.ino === other.ino && one.mode === other.mode && one.uid === other.uid
  return place && one.size === other.size && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs
}

/** Whether a path is a file that this account may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
