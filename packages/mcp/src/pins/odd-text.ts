import { confusableWords, findOddCharacters, type Json, type OddClass } from '@countersign/core'

/** Characters of a definition that hide, reorder, or pose as others, and where. */
export interface OddText {
  /** `name`, `description`, `inputSchema.properties.path.description`, … Untrusted text. */
  readonly where: string
  readonly what: OddClass | 'look-alike'
  readonly count: number
}

/** INVARIANT: L10, of each definition and of each text in it. */
const MOST_PLACES = 50
const MOST_CHARACTERS = 1000

const PLAIN = /^[\x20-\x7e\n\t\r]*$/

/** What emoji are made of: a sign with its selectors, skin tones and joiners, flags of regions among them. */
const EMOJI =
  /\p{Extended_Pictographic}[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?){0,8}|[0-9#*]\ufe0f\u20e3|\u{1f3f4}[\u{e0061}-\u{e007a}]{1,6}\u{e007f}/gu

/** Scripts that are written with joiners between their letters. */
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}'
const HONEST = new RegExp(`${EMOJI.source}|(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`, 'gu')

/** Everything odd in a definition: keys and values, at every depth. */
export function findOddText(definition: Json): readonly OddText[] {
  const found: OddText[] = []
  const look = (text: string, where: string): void => {
    if (found.length >= MOST_PLACES || PLAIN.test(text)) return
    const counts = new Map<OddText['what'], number>()
    const add = (what: OddText['what']): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
    for (const odd of findOddCharacters(text.replace(HONEST, ''), MOST_CHARACTERS))
      if (!isLineBreak(odd.codePoint)) add(odd.class)
    for (const _ of confusableWords(text)) add('look-alike')
    for (const [what, count] of counts) found.push({ where, what, count })
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
  return found
}

/** A carriage return at the end of a line hides nothing here. */
function isLineBreak(codePoint: number): boolean {
  return codePoint === 0x0d
}

/** Letters that nobody sees can spell as well: more of them in one text than any script needs. */
const MOST_UNSEEN = 8
const UNSEEN: ReadonlySet<OddText['what']> = new Set(['variation-selector', 'zero-width', 'blank', 'private-use'])
/** No script writes three of these in a row. */
const UNSEEN_RUN = /[\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{1d159}]{3}/u

/**
 * Text that only a model reads: tags spell whole sentences nobody sees, and so do selectors, joiners and blanks in number;
 * overrides show another text than is there. None of it has an honest use in the definition of a tool, and nothing odd has
 * one in its name.
 */
export function isSmuggled({ what, where, count }: OddText, definition: Json): boolean {
  if (what === 'tag') return true
  if (what === 'bidi') return /[\u202d\u202e]/.test(JSON.stringify(definition))
  if (UNSEEN.has(what) && (count > MOST_UNSEEN || hasUnseenRun(definition))) return true
  return where === 'name'
}

function hasUnseenRun(definition: Json): boolean {
  return UNSEEN_RUN.test(JSON.stringify(definition).replace(HONEST, ''))
}
