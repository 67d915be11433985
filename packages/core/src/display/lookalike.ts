/** Cyrillic and Greek letters that look like Latin ones in the fonts people read commands in. */
const LOOKALIKES = 'аеорсухіјѕһԁԛԝѵӏАВЕКМНОРСТУХІЈЅҺԌԚԜοανρυικγχΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ'

const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u
const LATIN = /\p{Script=Latin}/u
const WORD = /[\p{L}\p{M}\p{N}_]+/gu
const LOOKALIKE = new RegExp(`[${LOOKALIKES}]`, 'gu')
const DISTINCT_CYRILLIC = new RegExp(`[\\p{Script=Cyrillic}--[${LOOKALIKES}]]`, 'v')
const ONLY_CYRILLIC_LOOKALIKES = new RegExp(`^[\\p{Script=Cyrillic}&&[${LOOKALIKES}]]+$`, 'v')

/**
 * Marks letters that pose as Latin: in a word that mixes scripts, and in a word made only of Cyrillic lookalikes when
 * nothing else in the text is Cyrillic. Russian, Greek and `Δt` stay as they are.
 */
export function markLookalikes(text: string, mark: (character: string) => string): string {
  if (!FOREIGN.test(text)) return text
  const isCyrillicText = DISTINCT_CYRILLIC.test(text)
  return text.replace(WORD, (word) =>
    isMixed(word) || (!isCyrillicText && ONLY_CYRILLIC_LOOKALIKES.test(word)) ? word.replace(LOOKALIKE, mark) : word,
  )
}

export interface ConfusableWord {
  readonly word: string
  readonly index: number
}

/** Words that mix Latin with Cyrillic or Greek letters, at most `limit` of them. Raw text: escape before showing. */
export function confusableWords(text: string, limit = 20): readonly ConfusableWord[] {
  const found: ConfusableWord[] = []
  if (!FOREIGN.test(text)) return found
  for (const match of text.matchAll(WORD)) {
    if (found.length >= limit) break
    if (isMixed(match[0])) found.push({ word: match[0], index: match.index })
  }
  return found
}

function isMixed(word: string): boolean {
  return LATIN.test(word) && FOREIGN.test(word)
}
