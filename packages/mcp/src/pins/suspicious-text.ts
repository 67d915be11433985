import { confusableWords, findOddCharacters, type Json, type OddClass } from '@countersign/core'

/** Characters of a definition that hide, reorder, or imitate others, and where. */
export interface OddText {
  /** `name`, `description`, `inputSchema.properties.path.description`, … Untrusted text. */
  readonly where: string
  readonly what: OddClass | 'look-alike'
  readonly count: number
}

/** INVARIANT: L10, limits of the report; hidden text is detected over the whole definition. */
const MAX_PLACES = 50
const MAX_CHARACTERS = 1000

const PLAIN = /^[\x20-\x7e\n\t\r]*$/

/** Emoji: the three flags spelled with tags, and a symbol with selectors, skin tones and joiners. */
const FLAGS =
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}'
const EMOJI = `${FLAGS}|\\p{Extended_Pictographic}[\\ufe0e\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?(?:\\u200d\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?){0,8}|[0-9#*]\\ufe0f\\u20e3`

/** Scripts that use joiners between letters. */
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}'
const LEGITIMATE = new RegExp(`${EMOJI}|(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`, 'gu')

/** All suspicious characters in a definition, keys and values at every depth, up to a limit. */
export function findOddText(definition: Json): readonly OddText[] {
  const found: OddText[] = []
  eachText(definition, (text, where) => {
    if (found.length < MAX_PLACES) for (const [what, count] of oddIn(text)) found.push({ where, what, count })
  })
  return found
}

/** More invisible characters in one text than any script needs could spell a message. */
const MAX_INVISIBLE = 8
const INVISIBLE: readonly OddText['what'][] = ['variation-selector', 'zero-width', 'blank', 'private-use']
/** No script writes three of these in a row. */
const INVISIBLE_RUN = /[\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{1d159}]{3}/u
/** Full-width signs, spaces and line ends, which some scripts use freely. */
const VISIBLE = /[\uff01-\uff5e\ufe50-\ufe6b\p{Z}\r]/gu
const TAG = /[\u{e0000}-\u{e007f}]/u
const OVERRIDE = /[\u202d\u202e]/

/**
 * Whether a definition contains text that only a model reads: tags spell invisible sentences, as do many selectors,
 * joiners and blanks; overrides display another text. None has an honest use in a tool definition, and no suspicious
 * character has one in a name. SECURITY: A20 the whole definition is checked.
 */
export function hasHiddenText(definition: Json): boolean {
  let found = false
  eachText(definition, (text, where) => {
    found ||= isHiddenText(text, where)
  })
  return found
}

function isHiddenText(text: string, where: string): boolean {
  const rest = text.replace(LEGITIMATE, '')
  if (TAG.test(rest) || OVERRIDE.test(text) || INVISIBLE_RUN.test(rest)) return true
  if (where === 'name' && oddIn(text).size > 0) return true
  const odd = findOddCharacters(rest.replace(VISIBLE, ''), MAX_CHARACTERS)
  return (
    odd.length >= MAX_CHARACTERS ||
    INVISIBLE.some((what) => odd.filter((one) => one.class === what).length > MAX_INVISIBLE)
  )
}

/** Counts suspicious characters by kind, up to a limit. */
function oddIn(text: string): ReadonlyMap<OddText['what'], number> {
  const counts = new Map<OddText['what'], number>()
  const add = (what: OddText['what']): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
  for (const odd of findOddCharacters(text.replace(LEGITIMATE, '').replaceAll('\r', ''), MAX_CHARACTERS)) add(odd.class)
  for (const _ of confusableWords(text)) add('look-alike')
  return counts
}

/** Visits each string that is not plain ASCII, keys included, with its location. */
function eachText(definition: Json, take: (text: string, where: string) => void): void {
  const look = (text: string, where: string): void => {
    if (!PLAIN.test(text)) take(text, where)
  }
  const walk = (value: Json, where: string): void => {
    if (typeof value === 'string') look(value, where)
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) {
      const inner = where === '' ? key : `${where}.${key}`
      look(key, inner)
      walk(item as Json, inner)
    }
  }
  walk(definition, '')
}
