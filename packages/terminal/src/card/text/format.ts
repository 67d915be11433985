import { displayWidth, type SafeText, safeText, sliceSafe, wrapText } from '@countersign/core'

/** Local date and time. */
export function timeText(at: number): SafeText {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return safeText('no time')
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return safeText(`${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`)
}

/** Cuts a text to a width, ending with `…`. */
export function cutText(text: SafeText, columns: number): string {
  if (displayWidth(text) <= columns) return text
  if (columns < 2) return ''
  const whole = wrapText(text, columns - 1)[0] ?? sliceSafe(text, 0, 0)
  const left = columns - 1 - displayWidth(whole)
  const begun = left > 0 ? wrapText(sliceSafe(text, whole.length), left)[0] : undefined
  // A character of width 2 does not fit in one column.
  const fits = begun !== undefined && displayWidth(begun) <= left
  return withoutOpenRun(`${whole}${fits ? begun : ''}`)
    .trimEnd()
    .concat('…')
}

/** SECURITY: A13 right-to-left letters without the mark after them would reorder the rest of the row. */
function withoutOpenRun(text: string): string {
  const open = text.lastIndexOf('⟦RTL⟧')
  return open >= 0 && !text.includes('⟦LTR⟧', open) ? text.slice(0, open) : text
}

/** Maximum lines per page. */
const PAGE_LINES = 200

/** Splits lines into pages; at least one. */
export function pagesOf(lines: readonly string[], size = PAGE_LINES): readonly (readonly string[])[] {
  const pages: (readonly string[])[] = []
  for (let at = 0; at === 0 || at < lines.length; at += size) pages.push(lines.slice(at, at + size))
  return pages
}
