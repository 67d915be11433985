import { nameWords, plainKey } from '../../call/names/words.ts'

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

/** Words of tools that make other calls. */
const META =
  /^(?:batch|parallel|multi|call|invoke|execute|exec|run|use|dispatch|workflow|pipeline|chain|sequence|tool|tools|proxy|router|orchestrate|macro|delegate|perform|steps|actions)$/
const CALLERS = /^(?:invoke|call|dispatch|tool|tools|proxy|router|delegate)$/
const RUNNERS = /^(?:exec|execute)$/

const META_ARGUMENTS: ReadonlySet<string> = new Set('toolcalls tooluses calls toolname toolslug invocations'.split(' '))
const LIST_KEYS: ReadonlySet<string> = new Set('toolcalls tooluses calls invocations'.split(' '))
const TOOL_KEYS: ReadonlySet<string> = new Set(
  'tool toolname toolid toolslug toolpath recipientname functionname'.split(' '),
)
const NAME_KEYS: ReadonlySet<string> = new Set(['name', 'function'])
const ID_KEYS: ReadonlySet<string> = new Set('id slug action method operation'.split(' '))
const ARGUMENT_KEYS: ReadonlySet<string> = new Set(
  'arguments args kwargs parameters params input inputs toolinput argumentsjson argsjson inputjson toolargs toolarguments toolparams toolparameters'.split(
    ' ',
  ),
)
const SERVER_KEYS: ReadonlySet<string> = new Set('server servername serverid mcpserver'.split(' '))
/** Beside one of these, what `exec` runs is not what its `name` says. */
const RUN_KEYS: ReadonlySet<string> = new Set('command cmd commands code script sql query'.split(' '))
/** Words of keys about a tool that name none: `tool_call_id`, `tool_choice`, `action_type`. */
const NO_NAMES = /^(?:calls?|uses?|choice|version|type|kind|status|count|result|results|output|description)$/

/** Whether a tool makes other calls, so that what is inside is what counts. */
export function isMetaTool(name: string, keys: readonly string[]): boolean {
  return nameWords(name).some((word) => META.test(word)) || keys.some((key) => META_ARGUMENTS.has(plainKey(key)))
}

/** How the keys inside this tool are read. */
export function readingOf(tool: string, keys: readonly string[]): Reading {
  const words = nameWords(tool)
  if (words.some((word) => CALLERS.test(word))) return 'caller'
  const runsOther = keys.some((key) => RUN_KEYS.has(plainKey(key)))
  return words.some((word) => RUNNERS.test(word)) && !runsOther ? 'runner' : 'plain'
}

/** What is longer is no key that a tool knows. */
const LONGEST_KEY = 64

/** What a key says of a text; null when it names no call. */
export function callKey(key: string): CallKey | null {
  if (key.length > LONGEST_KEY) return null
  const plain = plainKey(key)
  if (TOOL_KEYS.has(plain)) return 'tool'
  if (NAME_KEYS.has(plain)) return 'name'
  if (ID_KEYS.has(plain)) return 'id'
  // `tools: ['x']` lists what is called, or only what may be.
  if (TOOL_KEYS.has(plain.replace(/s$/, ''))) return 'maybe'
  const words = nameWords(key)
  const isOther = words.some((word) => NO_NAMES.test(word))
  return !isOther && words.some((word) => word === 'tool' || word === 'action') ? 'maybe' : null
}

export function isArgumentKey(key: string): boolean {
  return key.length <= LONGEST_KEY && ARGUMENT_KEYS.has(plainKey(key))
}

/** Whether what stands here can only be calls. */
export function isCallList(key: string): boolean {
  return key.length <= LONGEST_KEY && LIST_KEYS.has(plainKey(key))
}

/** Whether what stands here is run or asked for as it is. */
export function isRunKey(key: string): boolean {
  return RUN_KEYS.has(plainKey(key))
}

export function isServerKey(key: string): boolean {
  return key.length <= LONGEST_KEY && SERVER_KEYS.has(plainKey(key))
}
