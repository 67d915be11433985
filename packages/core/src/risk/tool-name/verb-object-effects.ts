import { OBJECTS, VERB_OBJECTS } from '../../knowledge/compiled/tools.ts'
import type { Effect, ObjectList, VerbObjectRow } from '../../knowledge/tools.ts'

/** The object of a verb. */
export interface NamedObject {
  /** The thing itself: the last word before a preposition. */
  readonly head: string
  readonly words: readonly string[]
}

let rowsByVerb: ReadonlyMap<string, readonly VerbObjectRow[]> | undefined

/** The effect of a verb on this object; null if the object makes no difference. */
export function effectOnObject(verb: string, object: NamedObject): Effect | null {
  rowsByVerb ??= indexRows()
  return rowsByVerb.get(verb)?.find((row) => fits(row, object))?.effect ?? null
}

function indexRows(): ReadonlyMap<string, readonly VerbObjectRow[]> {
  const index = new Map<string, VerbObjectRow[]>()
  for (const row of VERB_OBJECTS.rows) for (const verb of row.verbs) index.set(verb, [...(index.get(verb) ?? []), row])
  return index
}

function fits(row: VerbObjectRow, { head, words }: NamedObject): boolean {
  const { object, objectIn, word, wordIn, lastWord, phrase } = row
  const isObject = object === undefined && objectIn === undefined ? true : isListed(head, object, objectIn)
  const hasWord = word === undefined && wordIn === undefined ? true : words.some((one) => isListed(one, word, wordIn))
  const isLast = lastWord === undefined || lastWord.includes(words.at(-1) ?? '')
  return isObject && hasWord && isLast && (phrase === undefined || words.join(' ').includes(phrase))
}

function isListed(word: string, list: readonly string[] = [], lists: readonly ObjectList[] = []): boolean {
  return list.includes(word) || lists.some((name) => OBJECTS[name].has(word))
}
