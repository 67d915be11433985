import { confusableWords, findOddCharacters, type Json, type OddClass } from '@countersign/core'

/** Characters of a definition that hide, reorder, or pose as others, and where. */
export interface OddText {
  /** `name`, `description`, `inputSchema.properties.path.description`, … Untrusted text. */
  readonly where: string
  readonly what: OddClass | 'look-alike'
  readonly count: number
}

/** INVARIANT: L10, of what is shown of each definition, and of each text in it. What is smuggled is decided over all of it. */
const MOST_PLACES = 50
const MOST_CHARACTERS = 1000

const PLAIN = /^[\x20-\x7e\n\t\r]*$/

/** What emoji are made of: the three flags that are spelled with tags, and a sign with its selectors, skin tones and joiners. */
const FLAGS =
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}'
const EMOJI = `${FLAGS}|\\p{Extended_Pictographic}[\\ufe0e\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?(?:\\u200d\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?){0,8}|[0-9#*]\\ufe0f\\u20e3`

/** Scripts that are written with joiners between their letters. */
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}'
const HONEST = new RegExp(`${EMOJI}|(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`, 'gu')

/** Everything odd in a definition, as much as is shown: keys and values, at every depth. */
export function findOddText(definition: Json): readonly OddText[] {
  const found: OddText[] = []
  eachText(definition, (text, where) => {
    if (found.length < MOST_PLACES) for (const [what, count] of oddIn(text)) found.push({ where, what, count })
  })
  return found
}

/** Letters that nobody sees can spell as well: more of them in one text than any script needs. */
const MOST_UNSEEN = 8
const UNSEEN: readonly OddText['what'][] = ['variation-selector', 'zero-width', 'blank', 'private-use']
/** No script writes three of these in a row. */
const UNSEEN_RUN = /[\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{1d159}]{3}/u
/** Full-width signs, spaces and ends of lines: any number of them is what some scripts are written with. */
const SEEN = /[\uff01-\uff5e\ufe50-\ufe6b\p{Z}\r]/gu
const TAG = /[\u{e0000}-\u{e007f}]/u
const OVERRIDE = /[\u202d\u202e]/

/**
 * Whether a definition holds text that only a model reads: tags spell whole sentences nobody sees, and so do selectors,
 * joiners and blanks in number; overrides show another text than is there. None of it has an honest use in the definition
 * of a tool, and nothing odd has one in its name. SECURITY: A20 all of it is looked through, and more oddities in one text
 * than are counted are no honest text.
 */
export function isSmuggling(definition: Json): boolean {
  let found = false
  eachText(definition, (text, where) => {
    found ||= isSmuggled(text, where)
  })
  return found
}

function isSmuggled(text: string, where: string): boolean {
  const rest = text.replace(HONEST, '')
  if (TAG.test(rest) || OVERRIDE.test(text) || UNSEEN_RUN.test(rest)) return true
  if (where === 'name' && oddIn(text).size > 0) return true
  const odd = findOddCharacters(rest.replace(SEEN, ''), MOST_CHARACTERS)
  return (
    odd.length >= MOST_CHARACTERS || UNSEEN.some((what) => odd.filter((one) => one.class === what).length > MOST_UNSEEN)
  )
}

/** How many oddities of each kind one text has, up to a bound. */
function oddIn(text: string): ReadonlyMap<OddText['what'], number> {
  const counts = new Map<OddText['what'], number>()
  const add = (what: OddText['what']): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
  for (const odd of findOddCharacters(text.replace(HONEST, '').replaceAll('\r', ''), MOST_CHARACTERS)) add(odd.class)
  for (const _ of confusableWords(text)) add('look-alike')
  return counts
}

/** Gives each text that is not plain, with where it stands: values, and keys where they lead. */
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
