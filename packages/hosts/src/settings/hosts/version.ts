/** Whether a version is at least another one. */
export function isAtLeast(version: string, least: string): boolean {
  const [one, other] = [version, least].map((text) => text.split('.').map(Number))
  for (const [at, number] of (other ?? []).entries()) {
    const own = one?.[at] ?? 0
    if (own !== number) return own > number
  }
  return true
}
