import { nameWords, plainKey } from '../../call/names/words.ts'
import { NESTED_CALLS } from '../../knowledge/compiled/tools.ts'

/**
 * What a key says of the text beside it:
 * - `tool`: it names a tool, arguments or not;
 * - `name`: it names a tool where arguments stand beside it, or where the tool around it is there to call others;
 * - `id`: it names a tool where both hold;
 * - `maybe`: it may name one, and must hide none; so it raises a call and never shows what one does.
 */
export type CallKey = 'tool' | 'name' | 'id' | 'maybe'

/**
 * How the keys inside a tool are read: one that is there to call others also takes `{ id, args }` and a name alone. In a
 * list of calls (`listed`) an `id` is that of the call wherever it has a name.
 */
export type Reading = 'caller' | 'listed' | 'runner' | 'plain'

/** Whether a tool makes other calls, so that what is inside is what counts. */
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

/** What is longer is no key that a tool knows. */
const LONGEST_KEY = 64

/** What a key says of a text; null when it names no call. */
export function callKey(key: string): CallKey | null {
  if (key.length > LONGEST_KEY) return null
  const plain = plainKey(key)
  if (NESTED_CALLS.toolKeys.has(plain)) return 'tool'
  if (NESTED_CALLS.nameKeys.has(plain)) return 'name'
  if (NESTED_CALLS.idKeys.has(plain)) return 'id'
  // `tools: ['x']` lists what is called, or only what may be.
  if (NESTED_CALLS.toolKeys.has(plain.replace(/s$/, ''))) return 'maybe'
  const words = nameWords(key)
  const isOther = words.some((word) => NESTED_CALLS.otherKeys.has(word))
  return !isOther && words.some((word) => word === 'tool' || word === 'action') ? 'maybe' : null
}

export function isArgumentKey(key: string): boolean {
  return key.length <= LONGEST_KEY && NESTED_CALLS.argumentKeys.has(plainKey(key))
}

/** Whether what stands here can only be calls. */
export function isCallList(key: string): boolean {
  return key.length <= LONGEST_KEY && NESTED_CALLS.callLists.has(plainKey(key))
}

/** Whether what stands here is run or asked for as it is. */
export function isRunKey(key: string): boolean {
  return NESTED_CALLS.codeKeys.has(plainKey(key))
}

export function isServerKey(key: string): boolean {
  return key.length <= LONGEST_KEY && NESTED_CALLS.serverKeys.has(plainKey(key))
}
