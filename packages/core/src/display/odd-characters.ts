/** Why a character is suspicious. */
export type OddClass =
  | 'control'
  | 'bidi'
  | 'tag'
  | 'variation-selector'
  | 'zero-width'
  | 'space'
  | 'blank'
  | 'private-use'
  | 'surrogate'
  | 'unassigned'
  | 'full-width'

export interface OddCharacter {
  readonly codePoint: number
  readonly class: OddClass
  readonly index: number
}

/** The first match names the class. Line breaks and tabs are ordinary; a carriage return is not. */
const CLASSES: readonly (readonly [OddClass, RegExp])[] = [
  ['control', /\p{Cc}/u],
  ['surrogate', /\p{Cs}/u],
  ['bidi', /\p{Bidi_Control}/u],
  ['tag', /[\u{e0000}-\u{e007f}]/u],
  ['variation-selector', /\p{Variation_Selector}/u],
  ['private-use', /\p{Co}/u],
  ['zero-width', /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u],
  ['space', /\p{Z}/u],
  ['blank', /[\u2800\ufffc\u{1d159}\u{16fe4}]/u],
  ['full-width', /[\uff01-\uff5e\ufe50-\ufe6b]/u],
  ['unassigned', /\p{Cn}/u],
]

const ODD =
  /[\u2800\ufffc\u{1d159}\u{16fe4}\uff01-\uff5e\ufe50-\ufe6b\p{Default_Ignorable_Code_Point}]|[[\p{C}\p{Z}]--[\u0020\n\t]]/gv

/** Characters that hide, reorder, blank or imitate others, at most `limit` of them. */
export function findOddCharacters(text: string, limit = 100): readonly OddCharacter[] {
  const found: OddCharacter[] = []
  for (const match of text.matchAll(ODD)) {
    if (found.length >= limit) break
    const [character] = match
    const named = CLASSES.find(([, pattern]) => pattern.test(character))
    found.push({ codePoint: character.codePointAt(0) ?? 0, class: named?.[0] ?? 'unassigned', index: match.index })
  }
  return found
}
