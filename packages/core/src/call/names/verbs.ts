import type { Kind } from '../descriptor.ts'
import { byName, byTool } from './name-cache.ts'
import {
  AREAS,
  INFORMATION,
  JOINERS,
  KIND_OF,
  NOUNS,
  PROBES,
  QUESTIONS,
  RECORDS,
  STRENGTH,
  THINGS,
} from './verb-table.ts'
import { nameWords } from './words.ts'

/** A strong verb glued into a longer word, such as `anddeleteall`. Its participles and nouns are left alone. */
const GLUED =
  /(delet|remov|destroy|eras|wip|purg|truncat|execut|exec|sudo|writ|send|upload|deploy|install|kill|updat|modif|overwrit)/
const HARMLESS_ENDING = /(ed|er|ers|or|ors|ion|ions|al|als|able|ten|tten|ment|ments|ing|s)$/

/** What is more than a name (`find(x => y)`) is a text, and a text may say anything. */
const PLAIN_NAME = /^[\w.:/-]+$/

/** `extract_archive` and `convert_file` leave files behind, and `check_out` is no check. */
const MAKES_FILES =
  /\b(?:extract|convert)\b.*\b(?:files?|archive|zip|tar|documents?|images?|video|audio|pdf|all)\b|\bcheck (?:in|out)\b/

function isStronger(kind: Kind, than: Kind): boolean {
  return STRENGTH.indexOf(kind) > STRENGTH.indexOf(than)
}

export function strongerKind(a: Kind, b: Kind): Kind {
  return isStronger(b, a) ? b : a
}

/** A word of a name that says what is done. */
export interface ActingWord {
  readonly word: string
  readonly at: number
  readonly kind: Kind
}

/** A name taken apart: its words, and those of them that act rather than name a thing. */
export interface NameReading {
  readonly words: readonly string[]
  readonly acts: readonly ActingWord[]
  /** Nothing but a known area stands before the first verb. */
  readonly verbFirst: boolean
}

/** Names of tools that say what they do by who does it: `deploy-services-reader`. */
const DOERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    reader: 'read',
    viewer: 'view',
    finder: 'find',
    fetcher: 'fetch',
    inspector: 'inspect',
    explorer: 'explore',
    updater: 'update',
    writer: 'write',
    creator: 'create',
    deleter: 'delete',
    remover: 'remove',
    sender: 'send',
    executor: 'execute',
    runner: 'run',
    deployer: 'deploy',
  }),
)

/**
 * Tells the verbs of a name from its nouns. `get_and_delete_all` acts twice, `get_delete_history` and `create_order`
 * once: behind a first verb a word that may be a noun is one, unless an `and` joins the two.
 */
export const readName: (name: string) => NameReading = byName(takeApart)

function takeApart(name: string): NameReading {
  const words = nameWords(name)
  const doer = DOERS.get(words.at(-1) ?? '')
  if (doer !== undefined && words.length > 1)
    return { words, acts: [{ word: doer, at: words.length - 1, kind: KIND_OF.get(doer) ?? 'other' }], verbFirst: false }
  const joined = words.some((word) => JOINERS.has(word))
  if (!joined && QUESTIONS.has(words[0] ?? '')) return { words, acts: [], verbFirst: false }
  const acts: ActingWord[] = []
  for (const [at, word] of words.entries()) {
    const kind = KIND_OF.get(word)
    if (kind === undefined) continue
    const [first] = acts
    if (first === undefined) {
      // Behind a word we do not know, what may be a noun is one: `manage_issue`, `expedite_order`.
      if (isAreaAhead(words, at) || (at > 0 && isNounThere(words, at, kind))) continue
    } else if (!joined) {
      if (PROBES.has(first.word) || NOUNS.has(word)) continue
      // `get_deploy` shows one.
      if (first.kind === 'read' && word === 'deploy') continue
      if (first.kind === 'read' && isPartOfThing(words, first.at, at)) continue
    }
    acts.push({ word, at, kind })
  }
  const start = acts[0]?.at ?? 0
  return { words, acts, verbFirst: words.slice(0, start).every((word) => AREAS.has(word)) }
}

/**
 * Behind a verb that only gets, a verb with more behind it is part of a thing: `get_drop_rate`, `list_delete_markers`.
 * At the end, before `all`, or where the two are known to go together (`find_replace`) it acts.
 */
function isPartOfThing(words: readonly string[], first: number, at: number): boolean {
  const next = words[at + 1]
  if (next === undefined) return false
  if (RECORDS.has(next)) return true
  if (!GETTING.has(words[first] ?? '') || WHOLE.has(next)) return false
  return !PAIRS.has(`${words[at - 1]} ${words[at]}`)
}

const GETTING: ReadonlySet<string> = new Set('get list show view describe count search retrieve lookup read'.split(' '))
const WHOLE: ReadonlySet<string> = new Set(['all', 'everything', 'every', 'entire', 'the', 'it', 'them'])
const PAIRS: ReadonlySet<string> = new Set([
  'search replace',
  'read write',
  'get set',
  'get update',
  'get create',
  'list update',
])

/** Behind a thing a word that asks is a verb when more follows: `videos_search_videos`. */
function isNounThere(words: readonly string[], at: number, kind: Kind): boolean {
  if (!NOUNS.has(words[at] ?? '') || AREAS.has(words[at - 1] ?? '')) return false
  return !(kind === 'read' && at < words.length - 1 && words.slice(0, at).every(isThing))
}

/** `page_create` and `file_read` begin with an area, although `file` or `page` could be a verb. */
function isAreaAhead(words: readonly string[], at: number): boolean {
  const word = words[at] ?? ''
  const next = words[at + 1]
  if (at !== 0 || next === undefined) return false
  if (AREAS.has(word) && KIND_OF.has(next)) return true
  // `message_list` and `order_create` begin with their thing; `post_update` may be an act and its object.
  const last = words.at(-1) ?? ''
  if (THINGS.has(word) && KEPT.has(last) && KIND_OF.get(word) !== 'read' && !DOING.has(word)) return true
  return NOUNS.has(word) && !DOING.has(word) && ENDING.has(last) && !(last === 'update' && KIND_OF.get(word) === 'send')
}

/** Verbs that names end with when they begin with the thing. */
const ENDING: ReadonlySet<string> = new Set(
  'get list read search find fetch create update delete send remove add view show count lookup validate'.split(' '),
)
/** What is kept of a thing: `build_history`, `order_status`. */
const KEPT: ReadonlySet<string> = new Set('log logs status history stats metrics info metadata schema'.split(' '))
const DOING: ReadonlySet<string> = new Set('run start launch trigger command shell bash python script'.split(' '))

/**
 * What a name's verbs promise; undefined when it has none we know. A read needs a read verb, only things and areas before
 * it, and nothing stronger, nothing glued and nothing outside ASCII anywhere: `get_and_delete_all` deletes,
 * `list_deleted_files` and `pods_list` read.
 */
export function kindOfName(name: string, server = ''): Kind | undefined {
  return promised(name, server)
}

const promised = byTool((name, server): Kind | undefined => {
  const { words, acts } = readName(name)
  let strongest: Kind | undefined
  for (const { kind } of acts) {
    if (kind !== 'read') strongest = strongest === undefined ? kind : strongerKind(strongest, kind)
  }
  if (strongest !== undefined) return strongest
  // INVARIANT: a rule that lets reads run needs more than a second verb which is likely part of a thing.
  if (hasBuriedVerb(words, acts)) return undefined
  return isCleanRead(name, words, acts, server) ? 'read' : undefined
})

/** A strong verb that does not count as an act, in a name that does not end with a record of it. */
function hasBuriedVerb(words: readonly string[], acts: readonly ActingWord[]): boolean {
  const [first] = acts
  if (first === undefined || !GETTING.has(first.word) || RECORDS.has(words.at(-1) ?? '')) return false
  return words.some((word, at) => {
    const kind = KIND_OF.get(word)
    if (at <= first.at || kind === undefined || kind === 'read' || NOUNS.has(word) || word === 'deploy') return false
    return !RECORDS.has(words[at + 1] ?? '')
  })
}

function isCleanRead(name: string, words: readonly string[], acts: readonly ActingWord[], server: string): boolean {
  if (!PLAIN_NAME.test(name) || words.some(hidesVerb) || MAKES_FILES.test(words.join(' '))) return false
  // `log_time` writes down, `git_log` shows.
  if (words[0] === 'log' && words.length > 1) return false
  const before = words.slice(0, acts[0]?.at ?? -1)
  const own = nameWords(server)
  // A server's tools often bear one word of their product in front: `acme_list_orders`.
  const isBranded = own.length > 0 && before.length === 1 && ASKING.has(acts[0]?.word ?? words.at(-1) ?? '')
  const areKnown =
    isBranded || DOERS.has(words.at(-1) ?? '') || before.every((word) => isThing(word) || own.includes(word))
  if (acts.length > 0) return areKnown
  if (words.some((word) => JOINERS.has(word))) return false
  if (STATES.has(words[0] ?? '')) return words.length > 1 && words.slice(1).every(isKnownWord)
  const last = words.at(-1) ?? ''
  return areKnown && (INFORMATION.has(last) || (words.length > 1 && /^(?:read|query)$/.test(KIND_OF.get(last) ?? '')))
}

function isKnownWord(word: string): boolean {
  return isThing(word) || KIND_OF.has(word) || /ed$/.test(word)
}

/** `is_deleted` and `has_permission` ask how things are; what `should` and `would` do is anybody's guess. */
const STATES: ReadonlySet<string> = new Set(['is', 'has', 'can', 'does', 'was', 'are'])

/** Areas, plain things and plurals: none of them does anything. */
export function isThing(word: string): boolean {
  if (AREAS.has(word) || THINGS.has(word) || INFORMATION.has(word) || JOINING.has(word)) return true
  const verb = KIND_OF.get(word)
  if (verb !== undefined) return verb === 'read' || NOUNS.has(word)
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') && !KIND_OF.has(word.slice(0, -1))
}

const ASKING: ReadonlySet<string> = new Set(
  'get list search find read fetch describe count lookup show view'.split(' '),
)

const JOINING: ReadonlySet<string> = new Set(
  'of for the a by my in from on current v1 v2 v3 api rest http cli mcp tool semantic full fuzzy deep quick advanced hybrid similarity nearest reverse multi global local smart fast simple raw keyword related recent latest similar'.split(
    ' ',
  ),
)

function hidesVerb(word: string): boolean {
  if (/[^a-z0-9]/.test(word)) return true
  return !KIND_OF.has(word) && GLUED.test(word) && !HARMLESS_ENDING.test(word)
}
