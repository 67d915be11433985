/** A secret in a text: its position (UTF-16 units, `end` exclusive) and its kind. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** Spans in order, with overlapping ones joined under the kind of the first. */
export function withoutOverlaps(found: readonly SecretSpan[]): readonly SecretSpan[] {
  if (found.length < 2) return found
  const merged: SecretSpan[] = []
  for (const span of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const before = merged.at(-1)
    if (before === undefined || span.start >= before.end) merged.push(span)
    else if (span.end > before.end) merged[merged.length - 1] = { ...before, end: span.end }
  }
  return merged
}
