import { lookalikeCharacters } from '../knowledge/lookalikes.ts'

const scriptClass = (name: string): string => `\\p{Script=${name}}`
const OTHER_DIGITS = '[\\p{Nd}--[0-9]]'
const SMALL_LETTERS = '[\\p{Lm}&&\\p{Script=Latin}]'

const WORD = /[\p{L}\p{M}\p{N}_]+/gu
const LATIN = /\p{Script=Latin}/u
const PLAIN = /[A-Za-z0-9]/
const PLAIN_LETTERS = /[A-Za-z][^A-Za-z]*[A-Za-z]/
const SEVERAL = /[\p{L}\p{N}][^\p{L}\p{N}]*[\p{L}\p{N}]/u
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const TURKISH = /[ğĞşŞİçÇöÖüÜ]/
const DIGITS = new RegExp(OTHER_DIGITS, 'gv')
const SMALL = new RegExp(SMALL_LETTERS, 'gv')

interface ScriptPatterns {
  readonly any: RegExp
  readonly lookalike: RegExp
  readonly distinct: RegExp
  /** A word of only lookalikes. */
  readonly whole: RegExp
}

type Patterns = ReturnType<typeof buildPatterns>

let built: Patterns | undefined

/** The patterns, built on first use: most texts are plain ASCII and need none. */
function patterns(): Patterns {
  built ??= buildPatterns()
  return built
}

function buildPatterns() {
  const known = lookalikeCharacters()
  const { scripts, other_letters, latin_letters, disguised, full_width, punctuation } = known
  const rare = known.rare_scripts.map(scriptClass).join('')
  const foreign = scripts.map(({ name }) => scriptClass(name)).join('')
  const listed = scripts.map(({ lookalikes }) => lookalikes).join('')
  return {
    suspect: new RegExp(
      `[${foreign}${rare}${other_letters}${latin_letters}${disguised}${full_width}${punctuation}${OTHER_DIGITS}${SMALL_LETTERS}]`,
      'v',
    ),
    phonetic: new RegExp(`[[\\u0250-\\u02af]--[${latin_letters}]]`, 'v'),
    listed: new RegExp(`[${listed}${other_letters}${rare}]`, 'gv'),
    disguise: new RegExp(`[${disguised}]`, 'gv'),
    fullWidth: new RegExp(`[${full_width}]`, 'gv'),
    latin: new RegExp(`[${latin_letters}]`, 'gv'),
    latinButDotless: new RegExp(`[[${latin_letters}]--[ı]]`, 'gv'),
    onlyLatin: new RegExp(`^[${latin_letters}]{2,}$`, 'v'),
    punctuation: new RegExp(`(?<=[A-Za-z])[${punctuation}](?=[A-Za-z])`, 'gv'),
    scripts: scripts.map(
      ({ name, lookalikes, alone }): ScriptPatterns => ({
        any: new RegExp(scriptClass(name), 'v'),
        lookalike: new RegExp(`[${lookalikes}]`, 'gv'),
        distinct: new RegExp(`[${scriptClass(name)}--[${lookalikes}]]`, 'v'),
        whole: new RegExp(`^[${lookalikes}]{${alone},}$`, 'v'),
      }),
    ),
  }
}

/**
 * Marks characters that imitate a Latin letter or digit: in a word that mixes scripts or digits, in one that is disguised
 * as a whole, and in a word of only lookalikes when nothing else in the text is in their script. Honest Russian, Greek and
 * Armenian, `Δt`, and full-width letters in East Asian text stay as they are.
 */
export function markLookalikes(text: string, mark: (character: string) => string): string {
  if (!patterns().suspect.test(text)) return text
  const about = readText(text)
  const known = new Map<string, string>()
  return text
    .replace(WORD, (word) => {
      const before = known.get(word)
      if (before !== undefined) return before
      const shown = suspectsIn(word, about).reduce((marked, pattern) => marked.replace(pattern, mark), word)
      // The same words recur in a text.
      if (known.size < MAX_CACHED) known.set(word, shown)
      return shown
    })
    .replace(patterns().punctuation, mark)
}

const MAX_CACHED = 2000

export interface ConfusableWord {
  readonly word: string
  readonly index: number
}

/** Words with letters or digits that imitate Latin ones, at most `limit` of them. Raw text: escape it before showing. */
export function confusableWords(text: string, limit = 20): readonly ConfusableWord[] {
  const found: ConfusableWord[] = []
  if (!patterns().suspect.test(text)) return found
  const about = readText(text)
  for (const match of text.matchAll(WORD)) {
    if (found.length >= limit) break
    const [word] = match
    if (suspectsIn(word, about).some((pattern) => word.search(pattern) !== -1)) found.push({ word, index: match.index })
  }
  return found
}

/** Facts about the whole text that the judgement of a word needs, read once. */
interface TextFacts {
  readonly scripts: readonly ScriptPatterns[]
  readonly isEastAsian: boolean
  readonly isTurkish: boolean
}

function readText(text: string): TextFacts {
  return {
    scripts: patterns().scripts.filter(({ distinct }) => distinct.test(text)),
    isEastAsian: EAST_ASIAN.test(text),
    isTurkish: TURKISH.test(text),
  }
}

/** The patterns of characters to mark in a word. They match no ASCII, so marks are not marked again. */
function suspectsIn(word: string, text: TextFacts): readonly RegExp[] {
  const known = patterns()
  if (!known.suspect.test(word)) return []
  const found: RegExp[] = []
  const scripts = known.scripts.filter(({ any }) => any.test(word))
  if (LATIN.test(word) || scripts.length > 1) found.push(known.listed)
  else for (const one of scripts) if (one.whole.test(word) && !text.scripts.includes(one)) found.push(one.lookalike)
  if (PLAIN.test(word)) found.push(DIGITS)
  const several = SEVERAL.test(word)
  if (several) found.push(known.disguise)
  if (PLAIN.test(word) || (several && !text.isEastAsian)) found.push(known.fullWidth)
  if (PLAIN_LETTERS.test(word)) found.push(SMALL)
  if (known.onlyLatin.test(word)) found.push(known.latin)
  else if (/[A-Za-z]/.test(word) && !known.phonetic.test(word))
    found.push(text.isTurkish ? known.latinButDotless : known.latin)
  return found
}
