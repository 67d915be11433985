import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { AMOUNTS } from '../../knowledge/compiled/tools.ts'

/** Values looked at; arguments past this stay uncounted. */
const MAX_VALUES = 20_000

/**
 * How many things the arguments speak of at once: the longest list, or the largest number that counts something.
 * `listsOnly` leaves the numbers out: of a tool nobody knows, `{ limit: 500 }` may be how much it shows.
 */
export function countThings(args: JsonObject, listsOnly = false): number {
  let most = 0
  let seen = 0
  const rest: (readonly [name: string, value: Json])[] = Object.entries(args)
  for (let next = rest.pop(); next !== undefined && seen < MAX_VALUES; next = rest.pop(), seen++) {
    const [name, value] = next
    if (typeof value === 'number' || typeof value === 'string') {
      if (!listsOnly) most = Math.max(most, countOf(name, value))
    } else if (typeof value === 'object' && value !== null) {
      if (isArray(value)) {
        if (isListOfThings(name, value)) most = Math.max(most, value.length)
        // What is past the bound of values is a long list already.
        for (const item of value.slice(0, MAX_VALUES)) if (typeof item === 'object') rest.push([name, item])
      } else rest.push(...Object.entries(value).slice(0, MAX_VALUES))
    }
  }
  return most
}

function isListOfThings(name: string, list: readonly Json[]): boolean {
  if (nameWords(name).some((word) => AMOUNTS.parts.has(word))) return false
  return !list.every((item) => typeof item === 'number' && !Number.isInteger(item))
}

function countOf(name: string, value: number | string): number {
  const words = nameWords(name)
  if (words.some((word) => AMOUNTS.otherUnits.has(word)) || !words.some((word) => AMOUNTS.counts.has(word))) return 0
  const number = typeof value === 'number' ? value : /^\d{1,15}$/.test(value) ? Number(value) : 0
  return Number.isFinite(number) ? number : 0
}
