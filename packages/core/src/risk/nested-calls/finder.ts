import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { isCallList, isMetaTool, isRunKey, type Reading, readingOf } from './call-keys.ts'
import { graver, type NamedCall, namesCalls, readNamedCalls, type Unread } from './named-calls.ts'
import { InnerBudget } from './read-limit.ts'

/** A call that another tool makes for the caller. */
export interface InnerCall extends NamedCall {
  /** The server of the call around this one, where that names one. */
  readonly around: string | null
}

export interface InnerCalls {
  /** Those inside others too, each once for every name and every set of arguments that it is given. */
  readonly calls: readonly InnerCall[]
  /**
   * `unclear`: the arguments of one cannot be read, or it has several names. `beyond`: there are more, or deeper ones, than
   * are looked at.
   */
  readonly missed: 'nothing' | 'unclear' | 'beyond'
  readonly unread: Unread
}

/** How much is looked at; more is a reason to be careful. INVARIANT: L10. */
const MAX_CALLS = 64
const MAX_DEPTH = 4
const MAX_OBJECTS = 20_000

const NO_CALLS: InnerCalls = { calls: [], missed: 'nothing', unread: 'nothing' }

interface Place {
  readonly value: Json
  readonly reading: Reading
  readonly server: string | null
  /** How many calls stand around it. */
  readonly depth: number
  /** Where it stands. */
  readonly key: string
}

/**
 * The calls inside a meta-tool or a batch: `{ name, arguments }`, `{ tool, args }`, `{ function: { name, arguments } }`
 * and their like, in lists, in JSON given as text, or alone. SECURITY: A1, a call that is found hides no other: every name
 * is taken with every set of arguments beside it, and whatever stands in or beside them is looked through as well.
 */
export function findInnerCalls(tool: string, args: JsonObject): InnerCalls {
  const keys = Object.keys(args)
  if (!isMetaTool(tool, keys)) return NO_CALLS
  const calls: InnerCall[] = []
  const flat: InnerCall[] = []
  const budget = new InnerBudget()
  let unread: Unread = 'nothing'
  let missed: 'nothing' | 'unclear' = 'nothing'
  const rest: Place[] = [{ value: args, reading: readingOf(tool, keys), server: null, depth: 0, key: '' }]
  const beyond = (): InnerCalls => ({ calls: calls.slice(0, MAX_CALLS), missed: 'beyond', unread })
  const look = (place: Place): void => {
    if (isWorthALook(place.value)) rest.push(place)
  }
  for (let at = 0; at < rest.length; at++) {
    const place = rest[at]
    if (place === undefined || rest.length > MAX_OBJECTS || place.depth > MAX_DEPTH) return beyond()
    const { value } = place
    if (typeof value === 'string') {
      if (!budget.takesText(value)) return beyond()
      const read = parsed(value)
      if (read !== null) look({ ...place, value: read })
      else if (mayBeCalls(value, place)) [missed, unread] = ['unclear', 'calls']
    } else if (isArray(value)) for (const one of value) look({ ...place, value: one })
    else if (value !== null && typeof value === 'object') {
      const found = readNamedCalls(value, place.reading, MAX_CALLS + 1, budget)
      // Rating these with their arguments is more than is spent on a call; what is denied by name stays denied.
      const taken = budget.isSpent ? found.calls.map((call) => ({ ...call, args: {} })) : found.calls
      calls.push(...taken.map((call) => ({ ...call, around: place.server })))
      if (budget.isSpent) return beyond()
      flat.push(...found.flat.map((call) => ({ ...call, around: place.server })))
      if (calls.length > MAX_CALLS || flat.length > MAX_CALLS) return beyond()
      if (found.isUnclear) missed = 'unclear'
      unread = graver(unread, found.unread)
      for (const [key, inside] of Object.entries(value)) {
        const args = found.argumentsAt.get(key)
        const reading = isCallList(key) ? 'listed' : place.reading
        look(args === undefined ? { ...place, value: inside, reading, key } : within(found.calls, args, place))
      }
    }
  }
  return { calls: [...calls, ...flat], missed, unread }
}

/** Whether a call is there to make others, as far as can be seen. */
export function makesCalls({
  tool,
  args,
}: {
  readonly tool: { readonly name: string }
  readonly args: JsonObject
}): boolean {
  const { calls, missed } = findInnerCalls(tool.name, args)
  return missed !== 'nothing' || calls.some(({ isMaybe }) => !isMaybe)
}

/** The arguments of calls, read as those calls read theirs. */
function within(calls: readonly NamedCall[], value: Json, { reading, server, depth }: Place): Place {
  const keys = value !== null && typeof value === 'object' && !isArray(value) ? Object.keys(value) : []
  const own = new Set(calls.map(({ name }) => readingOf(name, keys)))
  const [first] = calls
  return {
    value,
    reading: own.has('caller') ? 'caller' : own.size === 1 ? ([...own][0] ?? reading) : reading,
    server: first?.server ?? serverIn(first?.name) ?? server,
    depth: depth + 1,
    key: '',
  }
}

function serverIn(name: string | undefined): string | undefined {
  return name === undefined ? undefined : /^(?:mcp__)?([\w-]+?)(?:\/|__|\.|:)[\w.:/-]+$/.exec(name)?.[1]
}

/** Numbers and plain texts hold no call. */
function isWorthALook(value: Json): boolean {
  return typeof value === 'string' ? /^\s*"?\s*[[{]/.test(value) : value !== null && typeof value === 'object'
}

/**
 * Whether a text that begins like JSON and is none may be calls as only the tool can read them: `[{'tool': 'x'}]`, a line
 * for each. What is run or asked for as it is begins like that every day, and so does what a tool writes somewhere.
 */
function mayBeCalls(text: string, { reading, key }: Place): boolean {
  if (reading === 'listed') return true
  return reading === 'caller' && !isRunKey(key) && namesCalls(text)
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text.trim()) as Json
  } catch {
    return null
  }
}
