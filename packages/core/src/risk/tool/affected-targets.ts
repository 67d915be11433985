import type { JsonObject } from '../../call/json/json.ts'
import { ARGUMENT_NAMES } from '../../knowledge/compiled/tools.ts'
import type { Extent } from '../report/finding.ts'
import { countThings } from './count.ts'

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._/:#-]{0,63}$/u
const ID = /^(?:id|uuid|.*[_-]id|.*Id|.*_number)$/

/** How much a call of a tool touches at once, and what, as far as its arguments say. */
export function toolExtent(args: JsonObject, all: boolean): Extent {
  const key = ARGUMENT_NAMES.targets.find((name) => {
    const value = args[name]
    return typeof value === 'string' && NAME.test(value) && !looksSecret(value)
  })
  const target = key === undefined ? {} : { target: String(args[key]) }
  if (all) return { reach: 'all', ...target }
  const count = countThings(args)
  if (count > 1) return { reach: 'several', count, ...target }
  const one = count === 1 || Object.keys(args).some((name) => ID.test(name))
  return one ? { reach: 'one', count: 1, ...target } : target
}

/** A long word of letters and digits is no name a person gave. */
function looksSecret(value: string): boolean {
  return /[A-Za-z0-9]{24,}/.test(value) || (/\d/.test(value) && /[A-Za-z0-9_]{20,}/.test(value))
}
