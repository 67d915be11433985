import type { BigIntStats } from 'node:fs'

/** Whether two looks at a path saw the same file, unchanged. Nothing there is the same as nothing there. */
export function isSameFile(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  const place = one.dev === other.dev && one.ino === other.ino && one.mode === other.mode && one.uid === other.uid
  return place && one.size === other.size && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs
}
