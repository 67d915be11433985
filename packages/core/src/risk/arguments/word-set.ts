/** A set of words written as one text: how this folder spells its lists. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}
