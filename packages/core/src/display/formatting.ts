/**
 * A name as a Markdown code span. SECURITY: A14, a name with backticks gets a longer fence, so that it cannot end early
 * and continue as our text.
 *
 * @example
 * fencedName('a.txt') // '`a.txt`'
 */
export function fencedName(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(longest + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

/** Minutes and seconds: `4:07`. */
export function minuteText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
