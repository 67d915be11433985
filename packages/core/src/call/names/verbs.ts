import { BOUNDED_ACTS, NAME_WORDS } from '../../knowledge/compiled/tools.ts'
import { findVerbRow } from '../../knowledge/tools.ts'
import type { Kind } from '../descriptor.ts'
import { byName, byTool } from './name-cache.ts'
import { nameWords } from './words.ts'

/** A strong verb inside a longer word, such as `anddeleteall`. */
const GLUED =
  /(delet|remov|destroy|eras|wip|purg|truncat|execut|exec|sudo|writ|send|upload|deploy|install|kill|updat|modif|overwrit)/
/** Endings of participles and nouns, which describe a thing. */
const HARMLESS_ENDING = /(ed|er|ers|or|ors|ion|ions|al|als|able|ten|tten|ment|ments|ing|s)$/

/** Anything else (`find(x => y)`) is text, which may ask for anything. */
const PLAIN_NAME = /^[\w.:/-]+$/

/** Read verbs that write after all: `extract_archive` and `convert_file` leave files behind, `check_out` changes something. */
const MAKES_FILES =
  /\b(?:extract|convert)\b.*\b(?:files?|archive|zip|tar|documents?|images?|video|audio|pdf|all)\b|\bcheck (?:in|out)\b/

/** Weakest first. The strongest verb decides the kind of a name. */
const STRENGTH: readonly Kind[] = ['read', 'fetch', 'query', 'other', 'write', 'move', 'send', 'execute', 'delete']

export function strongerKind(a: Kind, b: Kind): Kind {
  return STRENGTH.indexOf(b) > STRENGTH.indexOf(a) ? b : a
}

function kindOfVerb(word: string): Kind | undefined {
  return findVerbRow(word)?.kind
}

/** A verb of a name, and its position among the words. */
export interface ActingWord {
  readonly word: string
  readonly at: number
  readonly kind: Kind
}

/** The words of a name, and which of them are verbs. */
export interface NameReading {
  readonly words: readonly string[]
  readonly acts: readonly ActingWord[]
  /** Only known areas come before the first verb. */
  readonly verbFirst: boolean
}

/**
 * Tells the verbs of a name from its nouns. `get_and_delete_all` has two verbs, `get_delete_history` and `create_order`
 * have one: after the first verb, a word that may be a noun is one, unless an `and` joins the two.
 */
export const readName: (name: string) => NameReading = byName(parseName)

function parseName(name: string): NameReading {
  const words = nameWords(name)
  const doer = NAME_WORDS.doers.get(words.at(-1) ?? '')
  if (doer !== undefined && words.length > 1) {
    const act = { word: doer, at: words.length - 1, kind: kindOfVerb(doer) ?? 'other' }
    return { words, acts: [act], verbFirst: false }
  }
  const joined = words.some((word) => NAME_WORDS.joiners.has(word))
  if (!joined && NAME_WORDS.questions.has(words[0] ?? '')) return { words, acts: [], verbFirst: false }
  const acts: ActingWord[] = []
  if (isShown(words)) return { words, acts, verbFirst: false }
  for (const [at, word] of words.entries()) {
    const kind = kindOfVerb(word)
    if (kind === undefined || isInCompound(words, at)) continue
    const [first] = acts
    if (first === undefined) {
      // After an unknown word, a word that may be a noun is one: `manage_issue`, `expedite_order`.
      if (startsWithObject(words, at) || (at > 0 && isNounThere(words, at, kind))) continue
    } else if (!joined) {
      if (NAME_WORDS.probes.has(first.word) || NAME_WORDS.nouns.has(word)) continue
      // `get_deploy` shows a deployment.
      if (first.kind === 'read' && word === 'deploy') continue
      if (first.kind === 'read' && isPartOfThing(words, first.at, at)) continue
    }
    acts.push({ word, at, kind })
  }
  const start = acts[0]?.at ?? 0
  return { words, acts, verbFirst: words.slice(0, start).every((word) => NAME_WORDS.areas.has(word)) }
}

/** `rollout_status`: how an action goes, which changes nothing. */
function isShown(words: readonly string[]): boolean {
  const [first = '', second = '', third] = words
  return third === undefined && BOUNDED_ACTS.shownActs.has(first) && BOUNDED_ACTS.progress.has(second)
}

/** Whether a verb is part of a longer noun, and no joiner makes it act: `kill_switch_status`. */
function isInCompound(words: readonly string[], at: number): boolean {
  const { compounds } = NAME_WORDS
  // `kill_switch` alone may press it.
  const begins = at + 2 < words.length && compounds.has(`${words[at]} ${words[at + 1]}`)
  return begins || compounds.has(`${words[at - 1]} ${words[at]}`)
}

/**
 * After a verb that only gets, a verb followed by another word is part of a thing: `get_drop_rate`,
 * `list_delete_markers`. At the end, before `all`, or in a known pair (`find_replace`) it acts.
 */
function isPartOfThing(words: readonly string[], first: number, at: number): boolean {
  const next = words[at + 1]
  if (next === undefined) return false
  if (NAME_WORDS.records.has(next)) return true
  if (!NAME_WORDS.getters.has(words[first] ?? '') || NAME_WORDS.everything.has(next)) return false
  return !NAME_WORDS.verbPairs.has(`${words[at - 1]} ${words[at]}`)
}

/** After a thing, a read verb with more words behind it acts: `videos_search_videos`. */
function isNounThere(words: readonly string[], at: number, kind: Kind): boolean {
  if (!NAME_WORDS.nouns.has(words[at] ?? '') || NAME_WORDS.areas.has(words[at - 1] ?? '')) return false
  return !(kind === 'read' && at < words.length - 1 && words.slice(0, at).every(isThing))
}

/** Whether the first word is an area or the object, although it could be a verb: `page_create`, `message_list`. */
function startsWithObject(words: readonly string[], at: number): boolean {
  const word = words[at] ?? ''
  const next = words[at + 1]
  if (at !== 0 || next === undefined) return false
  const kind = kindOfVerb(word)
  if (NAME_WORDS.areas.has(word) && kindOfVerb(next) !== undefined) return true
  const last = words.at(-1) ?? ''
  const starts = NAME_WORDS.starters.has(word)
  if (NAME_WORDS.things.has(word) && NAME_WORDS.keptRecords.has(last) && kind !== 'read' && !starts) return true
  if (!NAME_WORDS.nouns.has(word) || starts || !NAME_WORDS.finalVerbs.has(last)) return false
  // `post_update` may post an update.
  return !(last === 'update' && kind === 'send')
}

/**
 * The kind that the verbs of a name promise; undefined if it has no known verb. A read needs a read verb, only things and
 * areas before it, and no stronger verb, glued verb or non-ASCII letter anywhere: `get_and_delete_all` deletes,
 * `list_deleted_files` and `pods_list` read.
 */
export function kindOfName(name: string, server = ''): Kind | undefined {
  return promisedKind(name, server)
}

const promisedKind = byTool((name, server): Kind | undefined => {
  const { words, acts } = readName(name)
  let strongest: Kind | undefined
  for (const { kind } of acts) {
    if (kind !== 'read') strongest = strongest === undefined ? kind : strongerKind(strongest, kind)
  }
  if (strongest !== undefined) return strongest
  // INVARIANT: a rule that lets reads run never matches a name with a second verb that only seems part of a thing.
  if (hasBuriedVerb(words, acts)) return undefined
  return isCleanRead(name, words, acts, server) ? 'read' : undefined
})

/** Whether a strong verb was taken for part of a thing, and the name doesn't end with a record of it. */
function hasBuriedVerb(words: readonly string[], acts: readonly ActingWord[]): boolean {
  const [first] = acts
  if (first === undefined || !NAME_WORDS.getters.has(first.word) || NAME_WORDS.records.has(words.at(-1) ?? ''))
    return false
  return words.some((word, at) => {
    const kind = kindOfVerb(word)
    if (at <= first.at || kind === undefined || kind === 'read' || NAME_WORDS.nouns.has(word) || word === 'deploy')
      return false
    return !NAME_WORDS.records.has(words[at + 1] ?? '')
  })
}

function isCleanRead(name: string, words: readonly string[], acts: readonly ActingWord[], server: string): boolean {
  if (!PLAIN_NAME.test(name) || words.some(hidesVerb) || MAKES_FILES.test(words.join(' '))) return false
  // `log_time` writes a log entry, `git_log` shows the log.
  if (words[0] === 'log' && words.length > 1) return false
  const before = words.slice(0, acts[0]?.at ?? -1)
  const own = nameWords(server)
  const last = words.at(-1) ?? ''
  // Tools of a server often start with the product's name: `acme_list_orders`.
  const isBranded = own.length > 0 && before.length === 1 && NAME_WORDS.askers.has(acts[0]?.word ?? last)
  const areKnown =
    isBranded || NAME_WORDS.doers.has(last) || before.every((word) => isThing(word) || own.includes(word))
  if (acts.length > 0) return areKnown
  if (words.some((word) => NAME_WORDS.joiners.has(word))) return false
  if (NAME_WORDS.stateQuestions.has(words[0] ?? '')) return words.length > 1 && words.slice(1).every(isKnownWord)
  return (
    areKnown &&
    (NAME_WORDS.information.has(last) || (words.length > 1 && /^(?:read|query)$/.test(kindOfVerb(last) ?? '')))
  )
}

function isKnownWord(word: string): boolean {
  return isThing(word) || kindOfVerb(word) !== undefined || /ed$/.test(word)
}

/** Areas, plain things and plurals, which do nothing themselves. */
function isThing(word: string): boolean {
  const { areas, things, information, qualifiers, nouns } = NAME_WORDS
  if (areas.has(word) || things.has(word) || information.has(word) || qualifiers.has(word)) return true
  const kind = kindOfVerb(word)
  if (kind !== undefined) return kind === 'read' || nouns.has(word)
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') && kindOfVerb(word.slice(0, -1)) === undefined
}

function hidesVerb(word: string): boolean {
  if (/[^a-z0-9]/.test(word)) return true
  return kindOfVerb(word) === undefined && GLUED.test(word) && !HARMLESS_ENDING.test(word)
}

/** Whether an argument decides what the tool does: every verb of its name only carries out a request. */
export const isDispatcher: (name: string) => boolean = byName((name) => {
  const { dispatchers, dispatcherFillers } = NAME_WORDS
  const { words, acts } = readName(name)
  if (!acts.every(({ word }) => dispatchers.has(word))) return false
  // An unknown word may be a verb.
  return words.every((word) => dispatchers.has(word) || dispatcherFillers.has(word) || isThing(word))
})
