import { hash, timingSafeEqual } from 'node:crypto'

/** Whether two secrets are one, in a time that does not tell how much of it fits. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}
