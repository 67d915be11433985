/** Where a secret stands in a text (UTF-16 units, `end` exclusive), and what sort it is. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** Spans in order and without overlaps: where two meet they become one, with the kind of the first. */
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
