import type { Stats } from 'node:fs'

/**
 * Whether two looks at a path saw the same file, unchanged. Nothing there is the same as nothing there. Times are
 * fractions of a millisecond, finer than file systems keep them, and cheaper than whole nanoseconds.
 */
export function isSameFile(one: Stats | undefined, other: Stats | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  const place = one.dev === other.dev && one.ino === other.ino && one.mode === other.mode && one.uid === other.uid
  return place && one.size === other.size && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs
}
