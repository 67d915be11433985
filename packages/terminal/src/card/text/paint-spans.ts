import type { Paint, Style } from './color.ts'
import type { StyledSpan } from './rows.ts'

/** Paints one row of a longer text, of which it starts at `from`: spans where they are, the other styles elsewhere. */
export function paintSpans(
  row: string,
  from: number,
  { styles, spans }: { readonly styles: readonly Style[]; readonly spans: readonly StyledSpan[] },
  paint: Paint,
): string {
  const text = row.trimEnd()
  let painted = ''
  let at = 0
  for (const span of spans) {
    const start = Math.max(at, span.start - from)
    const end = Math.min(text.length, span.end - from)
    if (end <= start) continue
    painted += `${paint(text.slice(at, start), ...styles)}${paint(text.slice(start, end), ...span.styles)}`
    at = end
  }
  return `${painted}${paint(text.slice(at), ...styles)}`
}
