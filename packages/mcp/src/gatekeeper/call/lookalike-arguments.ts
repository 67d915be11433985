import type { Json, JsonObject } from '@countersign/core'
import { isObject } from '../../json/value.ts'
import { type ArgumentPlace, argumentPlace, plainly } from './argument-schema.ts'

/**
 * Names of arguments that could say one thing to the gate and another to the server; a text says which, null when there are
 * none. SECURITY: A1, A6 a rule reads `database`; a reader that ignores case also takes `Database`, and the last one wins.
 *
 * Refused is what can deceive: a name that is almost one of the tool's own, two names that differ in case only where
 * the tool has names of its own (outermost, in the arguments of a call inside, and everywhere when its schema has none), and
 * an end of string in any name. A map whose keys are the caller's (headers, variables) may hold both `path` and `PATH`.
 */
export function disguisedArgument(args: Json | undefined, definition: Json): string | null {
  if (!isObject(args)) return null
  const place = argumentPlace(definition)
  return look(args, place, { isStrict: true, isAllStrict: !place.hasNames })
}

interface Strictness {
  /** Whether two names here may not differ in case only. */
  readonly isStrict: boolean
  /** The schema says nothing: nobody knows what is a map. */
  readonly isAllStrict: boolean
}

/** Where the arguments of a call inside another stand. */
const INNER: ReadonlySet<string> = new Set(
  'arguments args parameters params input tool_input toolInput tool_args toolArgs'.split(' '),
)

/** INVARIANT: L10, no deeper than a call is read. */
function look(object: JsonObject, place: ArgumentPlace, how: Strictness): string | null {
  let seen: Set<string> | null = null
  for (const name of Object.keys(object)) {
    if (!place.isNamed(name)) {
      if (name.includes('\0')) return `${shown(name)} holds an end of string; leave it out`
      const meant = place.alike(name)
      if (meant !== undefined) return `${shown(name)} looks like ${shown(meant)}; write it as the tool does`
      if (how.isStrict) {
        const plain = plainly(name)
        seen ??= new Set()
        if (seen.has(plain)) return `${shown(name)} stands there in another case as well; leave one of them out`
        seen.add(plain)
      }
    }
    const value = object[name]
    if (typeof value !== 'object' || value === null) continue
    const inner = place.inside(name)
    const isStrict = how.isAllStrict || inner.hasNames || INNER.has(name)
    const found = lookInto(value as Json, inner, { ...how, isStrict })
    if (found !== null) return found
  }
  return null
}

function lookInto(value: Json, place: ArgumentPlace, how: Strictness): string | null {
  if (isObject(value)) return look(value, place, how)
  if (!Array.isArray(value)) return null
  const items = place.items()
  const isStrict = how.isStrict || items.hasNames
  for (const item of value as readonly Json[]) {
    const found = typeof item === 'object' && item !== null ? lookInto(item, items, { ...how, isStrict }) : null
    if (found !== null) return found
  }
  return null
}

const LONGEST_SHOWN = 64

function shown(name: string): string {
  return `\`${JSON.stringify(name.slice(0, LONGEST_SHOWN)).slice(1, -1)}\``
}
