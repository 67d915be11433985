import { hash, timingSafeEqual } from 'node:crypto'

/** Compares two secrets in constant time. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}
