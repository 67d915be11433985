import type { JsonObject } from '@countersign/core'

/** The cursor of the page after this one: an empty one, or the one that was just asked with, leads nowhere. */
export function nextCursorOf({ nextCursor }: JsonObject, cursor: string | null): string | null {
  return typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor ? null : nextCursor
}
