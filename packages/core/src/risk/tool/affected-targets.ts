import type { JsonObject } from '../../call/json/json.ts'
import type { Extent } from '../report/finding.ts'
import { countThings } from './count.ts'

/** Arguments that name what is acted on, the most telling first. Their values are names, never contents. */
const TARGETS = [
  'table',
  'collection',
  'database',
  'db',
  'bucket',
  'repository',
  'repo',
  'branch',
  'namespace',
  'cluster',
  'project',
  'service',
  'deployment',
  'queue',
  'topic',
  'index',
  'channel',
  'environment',
  'env',
] as const
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._/:#-]{0,63}$/u
const ID = /^(?:id|uuid|.*[_-]id|.*Id|.*_number)$/

/** How much a call of a tool touches at once, and what, as far as its arguments say. */
export function toolExtent(args: JsonObject, all: boolean): Extent {
  const key = TARGETS.find((name) => {
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
