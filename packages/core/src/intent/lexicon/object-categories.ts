import { intentKnowledge, type ObjectCategory } from '../../knowledge/intent.ts'

const NONE: ReadonlySet<ObjectCategory> = new Set()

let byWord: ReadonlyMap<string, ReadonlySet<ObjectCategory>> | undefined

function categoriesByWord(): ReadonlyMap<string, ReadonlySet<ObjectCategory>> {
  if (byWord !== undefined) return byWord
  const found = new Map<string, Set<ObjectCategory>>()
  for (const [category, list] of Object.entries(intentKnowledge().objects) as [ObjectCategory, readonly string[]][])
    for (const word of list) {
      const known = found.get(word)
      if (known === undefined) found.set(word, new Set([category]))
      else known.add(category)
    }
  byWord = found
  return found
}

/** Words that are known both as they are and as a plural. Bounded by the words in the tables. */
const JOINED = new Map<string, ReadonlySet<ObjectCategory>>()

/** The categories of a word; empty for an unknown word. */
export function categoriesOf(word: string): ReadonlySet<ObjectCategory> {
  const table = categoriesByWord()
  const [whole, one] = [table.get(word) ?? compoundOf(word), table.get(singular(word))]
  if (whole === undefined || one === undefined || whole === one) return whole ?? one ?? NONE
  const known = JOINED.get(word) ?? new Set([...whole, ...one])
  JOINED.set(word, known)
  return known
}

function singular(word: string): string {
  if (word.endsWith('ciones')) return `${word.slice(0, -6)}ción`
  if (word.endsWith('ções')) return `${word.slice(0, -4)}ção`
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** German writes compounds as one word: `Kundendatenbank` is a `Datenbank`. */
function compoundOf(word: string): ReadonlySet<ObjectCategory> | undefined {
  if (word.length < 9 || word.length > 40) return undefined
  const heads = intentKnowledge().classes.german_compound_heads
  const head = heads.find((one) => word.length > one.length + 2 && word.endsWith(one))
  return head === undefined ? undefined : categoriesByWord().get(head)
}
