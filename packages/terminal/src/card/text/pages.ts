/** Lines printed at once: more than this and a person no longer finds the beginning. */
export const PAGE_LINES = 200

/** Lines cut into pages; always at least one. */
export function pagesOf(lines: readonly string[], size = PAGE_LINES): readonly (readonly string[])[] {
  const pages: (readonly string[])[] = []
  for (let at = 0; at === 0 || at < lines.length; at += size) pages.push(lines.slice(at, at + size))
  return pages
}
