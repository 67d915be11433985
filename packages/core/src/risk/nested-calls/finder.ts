import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { isCallList, isMetaTool, isRunKey, type Reading, readingOf } from './call-keys.ts'
import { ReadLimit } from './limits.ts'
import { graver, type NamedCall, namesCalls, readNamedCalls, type Unread } from './named-calls.ts'

/** A call nested in the arguments of another. */
export interface InnerCall extends NamedCall {
  /** The server of the call around this one, if that names one. */
  readonly around: string | null
}

export interface InnerCalls {
  /** All of them, at any depth: one for every name with every set of arguments. */
  readonly calls: readonly InnerCall[]
  /**
   * `unclear`: the arguments of one can't be parsed, or it has several names. `beyond`: there are more or deeper ones than
   * the limits allow.
   */
  readonly missed: 'nothing' | 'unclear' | 'beyond'
  readonly unread: Unread
}

/** INVARIANT: L10, the search is bounded. */
const MAX_CALLS = 64
const MAX_DEPTH = 4
const MAX_OBJECTS = 20_000

const NO_CALLS: InnerCalls = { calls: [], missed: 'nothing', unread: 'nothing' }

interface Place {
  readonly value: Json
  readonly reading: Reading
  readonly server: string | null
  /** The number of calls around it. */
  readonly depth: number
  /** The key of the value. */
  readonly key: string
}

/**
 * The calls inside a meta-tool or a batch: `{ name, arguments }`, `{ tool, args }`, `{ function: { name, arguments } }` and
 * similar, in lists, in JSON text, or alone. SECURITY: A1, no call hides another: every name is taken with every set of
 * arguments beside it, and everything in or beside them is searched too.
 */
export function findInnerCalls(tool: string, args: JsonObject): InnerCalls {
  const keys = Object.keys(args)
  if (!isMetaTool(tool, keys)) return NO_CALLS
  const calls: InnerCall[] = []
  const flat: InnerCall[] = []
  const budget = new ReadLimit()
  let unread: Unread = 'nothing'
  let missed: 'nothing' | 'unclear' = 'nothing'
  const rest: Place[] = [{ value: args, reading: readingOf(tool, keys), server: null, depth: 0, key: '' }]
  const beyond = (): InnerCalls => ({ calls: calls.slice(0, MAX_CALLS), missed: 'beyond', unread })
  const visit = (place: Place): void => {
    if (mayHoldCalls(place.value)) rest.push(place)
  }
  for (let at = 0; at < rest.length; at++) {
    const place = rest[at]
    if (place === undefined || rest.length > MAX_OBJECTS || place.depth > MAX_DEPTH) return beyond()
    const { value } = place
    if (typeof value === 'string') {
      if (!budget.takesText(value)) return beyond()
      const read = parsed(value)
      if (read !== null) visit({ ...place, value: read })
      else if (mayBeCalls(value, place)) [missed, unread] = ['unclear', 'calls']
    } else if (isArray(value)) for (const one of value) visit({ ...place, value: one })
    else if (value !== null && typeof value === 'object') {
      const found = readNamedCalls(value, place.reading, MAX_CALLS + 1, budget)
      // Beyond the limit, calls are rated without their arguments; rules that deny by name still apply.
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
        visit(args === undefined ? { ...place, value: inside, reading, key } : within(found.calls, args, place))
      }
    }
  }
  return { calls: [...calls, ...flat], missed, unread }
}

/** Whether a call makes other calls, as far as can be seen. */
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

/** Reads the arguments of nested calls as those calls would. */
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

/** Numbers and plain texts contain no calls. */
function mayHoldCalls(value: Json): boolean {
  return typeof value === 'string' ? /^\s*"?\s*[[{]/.test(value) : value !== null && typeof value === 'object'
}

/**
 * Whether a text that looks like JSON and is not may contain calls in a form that only the tool can parse: `[{'tool':
 * 'x'}]`. Code, queries and file contents often look like this and don't count.
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
