import { nameWords, plainKey } from '../../call/names/words.ts'
import { NESTED_CALLS } from '../../knowledge/compiled/tools.ts'

/**
 * What the value of a key is:
 * - `tool`: the name of a tool, with or without arguments;
 * - `name`: the name of a tool if arguments are beside it, or if the outer tool makes other calls;
 * - `id`: the name of a tool if both are true;
 * - `maybe`: possibly the name of a tool; it can raise a call and never explains one.
 */
export type CallKey = 'tool' | 'name' | 'id' | 'maybe'

/**
 * How the keys inside a tool are read: a tool that makes other calls also takes `{ id, args }` and a name alone. In a list
 * of calls (`listed`), an `id` beside a name is the id of the call.
 */
export type Reading = 'caller' | 'listed' | 'runner' | 'plain'

/** Whether a tool may make other calls. */
export function isMetaTool(name: string, keys: readonly string[]): boolean {
  return (
    nameWords(name).some((word) => NESTED_CALLS.callersAndRunners.has(word)) ||
    keys.some((key) => NESTED_CALLS.callArguments.has(plainKey(key)))
  )
}

/** How the keys inside this tool are read. */
export function readingOf(tool: string, keys: readonly string[]): Reading {
  const words = nameWords(tool)
  if (words.some((word) => NESTED_CALLS.callers.has(word))) return 'caller'
  const runsOther = keys.some((key) => NESTED_CALLS.codeKeys.has(plainKey(key)))
  return words.some((word) => NESTED_CALLS.runners.has(word)) && !runsOther ? 'runner' : 'plain'
}

/** Longer keys are not argument names. */
const MAX_KEY = 64

/** What the value of a key is; null if it names no tool. */
export function callKey(key: string): CallKey | null {
  if (key.length > MAX_KEY) return null
  const plain = plainKey(key)
  if (NESTED_CALLS.toolKeys.has(plain)) return 'tool'
  if (NESTED_CALLS.nameKeys.has(plain)) return 'name'
  if (NESTED_CALLS.idKeys.has(plain)) return 'id'
  // `tools: ['x']` lists the tools to call, or those available.
  if (NESTED_CALLS.toolKeys.has(plain.replace(/s$/, ''))) return 'maybe'
  const words = nameWords(key)
  const isOther = words.some((word) => NESTED_CALLS.otherKeys.has(word))
  return !isOther && words.some((word) => word === 'tool' || word === 'action') ? 'maybe' : null
}

export function isArgumentKey(key: string): boolean {
  return key.length <= MAX_KEY && NESTED_CALLS.argumentKeys.has(plainKey(key))
}

/** Whether the value of this key can only be calls. */
export function isCallList(key: string): boolean {
  return key.length <= MAX_KEY && NESTED_CALLS.callLists.has(plainKey(key))
}

/** Whether the value of this key is code or a query. */
export function isRunKey(key: string): boolean {
  return NESTED_CALLS.codeKeys.has(plainKey(key))
}

export function isServerKey(key: string): boolean {
  return key.length <= MAX_KEY && NESTED_CALLS.serverKeys.has(plainKey(key))
}
