/**
 * Characters that are written from right to left, or that follow letters that are: the blocks of the Unicode classes R, AL
 * and AN. They reorder the neutral characters between them, so that `cat א > ב` reads as if it wrote to `א`.
 */
const RIGHT_TO_LEFT = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}'

/** Marks before and after letters that are written from right to left. */
const RTL = '⟦RTL⟧'
const LTR = '⟦LTR⟧'

/** Letters between two marks: few enough that a row of a terminal can hold both marks. */
const MAX_LETTERS = 12

const RUN = new RegExp(`(?:[[${RIGHT_TO_LEFT}]--\\p{M}]\\p{M}*){1,${MAX_LETTERS}}`, 'gv')

/**
 * Marks every run of right-to-left letters, without the blanks, digits and signs between them. SECURITY: A13 the letters
 * of the marks are Latin, so that each run is between left-to-right letters, and no terminal that orders text by itself
 * moves anything across a run.
 */
export function markRightToLeft(text: string): string {
  return text.replace(RUN, (run) => `${RTL}${run}${LTR}`)
}

/** The different runs of right-to-left letters in a text, at most `limit`, each with its code points. */
export function rightToLeftRuns(text: string, limit = 20): readonly string[] {
  const runs = new Set<string>()
  for (const [run] of text.matchAll(RUN)) {
    if (runs.size >= limit) break
    runs.add(run)
  }
  return [...runs].map((run) => `${run} ${codePointsOf(run)}`)
}

/** The code points of a text, such as `U+05D0 U+05D1`. */
export function codePointsOf(text: string): string {
  return [...text].map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`).join(' ')
}
