import {
  DISGUISED,
  FALSE_SIGNS,
  LATIN_TWINS,
  POSING_SCRIPTS,
  RARE_SCRIPTS,
  STRAY_LETTERS,
  WIDE_LETTERS,
} from './lookalike-table.ts'

const scriptClass = (name: string): string => `\\p{Script=${name}}`
const RARE = RARE_SCRIPTS.map(scriptClass).join('')
const FOREIGN = POSING_SCRIPTS.map(({ name }) => scriptClass(name)).join('')
const OTHER_DIGITS = '[\\p{Nd}--[0-9]]'
const SMALL_LETTERS = '[\\p{Lm}&&\\p{Script=Latin}]'

const SUSPECT = new RegExp(
  `[${FOREIGN}${RARE}${STRAY_LETTERS}${LATIN_TWINS}${DISGUISED}${WIDE_LETTERS}${FALSE_SIGNS}${OTHER_DIGITS}${SMALL_LETTERS}]`,
  'v',
)
const WORD = /[\p{L}\p{M}\p{N}_]+/gu
const LATIN = /\p{Script=Latin}/u
const PLAIN = /[A-Za-z0-9]/
const PLAIN_LETTERS = /[A-Za-z][^A-Za-z]*[A-Za-z]/
const SEVERAL = /[\p{L}\p{N}][^\p{L}\p{N}]*[\p{L}\p{N}]/u
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const TURKISH = /[ğĞşŞİçÇöÖüÜ]/
const PHONETIC = new RegExp(`[[\\u0250-\\u02af]--[${LATIN_TWINS}]]`, 'v')

const LISTED = new RegExp(
  `[${POSING_SCRIPTS.map(({ lookalikes }) => lookalikes).join('')}${STRAY_LETTERS}${RARE}]`,
  'gv',
)
const DIGITS = new RegExp(OTHER_DIGITS, 'gv')
const DISGUISE = new RegExp(`[${DISGUISED}]`, 'gv')
const WIDE = new RegExp(`[${WIDE_LETTERS}]`, 'gv')
const SMALL = new RegExp(SMALL_LETTERS, 'gv')
const TWINS = new RegExp(`[${LATIN_TWINS}]`, 'gv')
const TWINS_BUT_DOTLESS = new RegExp(`[[${LATIN_TWINS}]--[ı]]`, 'gv')
const ONLY_TWINS = new RegExp(`^[${LATIN_TWINS}]{2,}$`, 'v')
const FALSE_SIGN = new RegExp(`(?<=[A-Za-z])[${FALSE_SIGNS}](?=[A-Za-z])`, 'gv')

const SCRIPTS = POSING_SCRIPTS.map(({ name, lookalikes, alone }) => ({
  any: new RegExp(scriptClass(name), 'v'),
  lookalike: new RegExp(`[${lookalikes}]`, 'gv'),
  distinct: new RegExp(`[${scriptClass(name)}--[${lookalikes}]]`, 'v'),
  /** A word of nothing but lookalikes. */
  whole: new RegExp(`^[${lookalikes}]{${alone},}$`, 'v'),
}))

/**
 * Marks what poses as a Latin letter or digit: in a word that mixes scripts or digits, in one that is disguised as a
 * whole, and in a word of nothing but lookalikes when nothing else in the text is of their script. Honest Russian, Greek
 * and Armenian, `Δt`, and full-width letters in East Asian text stay as they are.
 */
export function markLookalikes(text: string, mark: (character: string) => string): string {
  if (!SUSPECT.test(text)) return text
  const about = readText(text)
  const known = new Map<string, string>()
  return text
    .replace(WORD, (word) => {
      const before = known.get(word)
      if (before !== undefined) return before
      const shown = suspectsIn(word, about).reduce((marked, pattern) => marked.replace(pattern, mark), word)
      // A text says the same words again and again.
      if (known.size < MOST_KNOWN) known.set(word, shown)
      return shown
    })
    .replace(FALSE_SIGN, mark)
}

const MOST_KNOWN = 2000

export interface ConfusableWord {
  readonly word: string
  readonly index: number
}

/** Words with letters or digits that pose as Latin ones, at most `limit` of them. Raw text: escape before showing. */
export function confusableWords(text: string, limit = 20): readonly ConfusableWord[] {
  const found: ConfusableWord[] = []
  if (!SUSPECT.test(text)) return found
  const about = readText(text)
  for (const match of text.matchAll(WORD)) {
    if (found.length >= limit) break
    const [word] = match
    if (suspectsIn(word, about).some((pattern) => word.search(pattern) !== -1)) found.push({ word, index: match.index })
  }
  return found
}

/** What a word is judged by beside itself, read once: a text may have very many words. */
interface TextFacts {
  readonly scripts: readonly (typeof SCRIPTS)[number][]
  readonly isEastAsian: boolean
  readonly isTurkish: boolean
}

function readText(text: string): TextFacts {
  return {
    scripts: SCRIPTS.filter(({ distinct }) => distinct.test(text)),
    isEastAsian: EAST_ASIAN.test(text),
    isTurkish: TURKISH.test(text),
  }
}

/** The patterns of what is to be marked in a word of a text. They match no ASCII, so marks are not marked again. */
function suspectsIn(word: string, text: TextFacts): readonly RegExp[] {
  if (!SUSPECT.test(word)) return []
  const patterns: RegExp[] = []
  const scripts = SCRIPTS.filter(({ any }) => any.test(word))
  if (LATIN.test(word) || scripts.length > 1) patterns.push(LISTED)
  else for (const one of scripts) if (one.whole.test(word) && !text.scripts.includes(one)) patterns.push(one.lookalike)
  if (PLAIN.test(word)) patterns.push(DIGITS)
  const several = SEVERAL.test(word)
  if (several) patterns.push(DISGUISE)
  if (PLAIN.test(word) || (several && !text.isEastAsian)) patterns.push(WIDE)
  if (PLAIN_LETTERS.test(word)) patterns.push(SMALL)
  if (ONLY_TWINS.test(word)) patterns.push(TWINS)
  else if (/[A-Za-z]/.test(word) && !PHONETIC.test(word)) patterns.push(text.isTurkish ? TWINS_BUT_DOTLESS : TWINS)
  return patterns
}
