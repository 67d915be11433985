/**
 * A name between backticks, for a sentence. SECURITY: A14 as in Markdown: one with backticks of its own stands between
 * more of them, so that it cannot end early and go on as our words.
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

/** Minutes and seconds as a clock shows them: `4:07`. */
export function minuteText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
