import { byName } from '../../call/names/name-cache.ts'
import { readName } from '../../call/names/verbs.ts'
import { nameWords } from '../../call/names/words.ts'
import { BOUNDED_ACTS, NAME_WORDS, OBJECTS, VERB_OBJECTS, VERBS } from '../../knowledge/compiled/tools.ts'
import { type Effect, findVerbRow, type ObjectList, type VerbObjectRow, type VerbRow } from '../../knowledge/tools.ts'
import { type RiskLevel, riskRank } from '../report/level.ts'

/** The worst action that a tool's name announces. */
export interface NamedAct {
  readonly effect: Effect
  readonly level: RiskLevel
  /** It affects everything there is. */
  readonly all: boolean
  /** The row of its verb. */
  readonly row?: VerbRow
}

/**
 * Rates a tool's name by all its verbs, not only the first (`get_and_delete_all` deletes), and by their objects
 * (`delete_label` is milder than `delete_repository`). Null if it has no known verb. `about` are the words of the object
 * if the verb comes from elsewhere, such as `{ action: 'delete' }`.
 */
export function rateName(name: string, about: readonly string[] = []): NamedAct | null {
  return about.length === 0 ? rateAlone(name) : rateActs(name, about)
}

const rateAlone = byName((name) => rateActs(name, []))

function rateActs(name: string, about: readonly string[]): NamedAct | null {
  const own = /^mcp__.+?__(.+)$/.exec(name)?.[1] ?? name
  const rest = restAct(own)
  if (rest !== null) return rest
  const named = namedAct(own)
  if (named !== null) return rateName(named, about)
  const { words, acts } = readName(own)
  if (acts.length === 0 && switchesOnOrOff(words)) return { effect: 'admin', level: 'high', all: false }
  if (words[0] === 'file' && OBJECTS.filings.has(words.at(-1) ?? ''))
    return { effect: 'send', level: 'high', all: false }
  let worst: NamedAct | null = null
  for (const { word, at } of acts) {
    const objects = objectsOf(words, at, about)
    // A merge in a local clone is easy to undo.
    const local = word === 'merge' && words[0] === 'git'
    const notes = word === 'log' && at === 0 && words.length > 1
    const effect = local || notes ? 'write' : effectOf(word, objects, acts.length === 1)
    // `delete_all` alone doesn't name its object.
    const bare = objects.words.length === 1 && objects.head === 'all'
    const all = !bare && [...words, ...about].some((one) => NAME_WORDS.all.has(one))
    const plain = levelOf(word, effect, objects, all)
    const forced = words.some((one) => one === 'force' || one === 'hard' || one === 'unsafe')
    const many =
      (all && effect !== 'read' && OBJECTS.people.has(objects.head)) ||
      (BOUNDED_ACTS.massVerbs.has(word) && words.some((one) => BOUNDED_ACTS.mass.has(one) || NAME_WORDS.all.has(one)))
    const level = plain === 'medium' && (forced || many) ? 'high' : plain
    if (worst === null || riskRank(level) > riskRank(worst.level)) worst = { effect, level, all, ...rowOf(word) }
  }
  return worst
}

function rowOf(verb: string): Pick<NamedAct, 'row'> {
  const row = findVerbRow(verb)
  return row === undefined ? {} : { row }
}

/** `maintenance_on`, `firewall_off`: an action without a verb. */
function switchesOnOrOff(words: readonly string[]): boolean {
  return (
    /^(?:on|off)$/.test(words.at(-1) ?? '') &&
    words.some((word) => OBJECTS.rights.has(word) || OBJECTS.safeguards.has(word))
  )
}

/** `schedule_deletion` and `force_logout` trigger the action of their noun: the same name with the verb of that noun. */
function namedAct(name: string): string | null {
  const { words, acts } = readName(name)
  if (words.length < 2 || !acts.every(({ word }) => NAME_WORDS.actionTriggers.has(word))) return null
  const at = words.findIndex((word) => NAME_WORDS.actionNouns.has(word) && !acts.some((act) => act.word === word))
  const verb = NAME_WORDS.actionNouns.get(words[at] ?? '')
  // Followed by another word, it may be a record: `deletion_report`.
  if (verb === undefined || at !== words.length - 1) return null
  return [verb, ...words.slice(0, at).filter((word) => !NAME_WORDS.actionTriggers.has(word))].join('_')
}

/** Tools generated from an HTTP API are named by their method: `API-post-search`, `API-delete-a-block`. */
function restAct(name: string): NamedAct | null {
  const [first, method, ...rest] = nameWords(name)
  if ((first !== 'api' && first !== 'rest') || method === undefined) return null
  const asks = method === 'get' || (method === 'post' && rest.some((word) => /^(?:search|query|find|list)$/.test(word)))
  if (asks) return { effect: 'read', level: 'none', all: false }
  if (method === 'delete') return rateName(`delete_${rest.join('_')}`)
  return /^(?:post|put|patch)$/.test(method) ? { effect: 'write', level: 'medium', all: false } : null
}

function objectsOf(words: readonly string[], verb: number, about: readonly string[]): NamedObject {
  const after = words.slice(verb + 1)
  const end = after.findIndex((word) => NAME_WORDS.prepositions.has(word))
  const own = (end === -1 ? after : after.slice(0, end)).filter((word) => !/^(?:v?\d+|id|ids|the|a|my)$/.test(word))
  // The object of `remove_from_cart` is the cart; `repo_delete` names its object first.
  const light = own.length === 0 ? after.filter((word) => OBJECTS.minor.has(word)) : []
  const named = [own, light, about].find((one) => one.length > 0) ?? words.slice(0, verb)
  return { head: named.at(-1) ?? '', words: own.length > 0 || named.length === 0 ? after : named }
}

function effectOf(verb: string, object: NamedObject, only: boolean): Effect {
  const base = findVerbRow(verb)?.effect ?? 'write'
  const { head, words } = object
  const about = words.filter((word) => !OBJECTS.moneyDocuments.has(word))
  if (verb === 'call' && /^(?:hierarchy|graph|stack|tree|count|logs?|history)$/.test(head)) return 'read'
  if (base === 'read') return base
  if (base === 'look') return OBJECTS.secrets.has(head) ? 'read' : base
  if (verb === 'select') return /^options?$|^values?$/.test(head) ? 'write' : 'read'
  const special = effectOnObject(verb, { head, words: words.length > 0 ? words : [head] })
  if (special !== null) return special
  if (NAME_WORDS.makers.has(verb) && only) {
    if (!OBJECTS.moneyDocuments.has(head) && about.some((word) => OBJECTS.money.has(word))) return 'pay'
    if (OBJECTS.messages.has(head)) return 'send'
    if (OBJECTS.releases.has(head)) return 'remote'
  }
  if (base === 'send' && OBJECTS.internalPosts.has(head)) return 'write'
  if (verb === 'order' || verb === 'sign')
    return OBJECTS.money.has(head) || words.includes('transaction') ? 'pay' : 'write'
  if (verb === 'call' && OBJECTS.callables.has(head)) return 'run'
  if (verb === 'push' && /^notifications?$/.test(head)) return 'send'
  if (verb === 'apply' && MANIFESTS.test([head, ...words].join(' '))) return 'remote'
  if (/^(?:pause|resume|start|resize|scale)$/.test(verb) && OBJECTS.machines.has(head))
    return verb === 'start' ? 'write' : 'remote'
  if (base === 'remote' && OBJECTS.harmlessStops.has(head) && /^(?:stop|halt|restart|trigger|shutdown)$/.test(verb))
    return 'small'
  if (verb === 'format' && OBJECTS.stores.has(head)) return 'destroy'
  if (base === 'write' && /^drafts?$/.test(head)) return 'small'
  if ((base === 'write' || base === 'small') && isRight(words)) return 'admin'
  return base
}

const MANIFESTS =
  /\b(?:kubectl|k8s|kubernetes|terraform|tf|helm|manifest|manifests|migration|migrations|plan|infrastructure|config)\b/

function isRight(words: readonly string[]): boolean {
  return words.some(
    (word, at) => OBJECTS.rights.has(word) || (OBJECTS.keys.has(word) && OBJECTS.keyOwners.has(words[at - 1] ?? '')),
  )
}

const SECRET_PHRASES =
  /\b(?:connection string|kube ?config|private key|keychain|recovery codes?|backup codes?|session cookies?)$/

function levelOf(verb: string, effect: Effect, { head, words }: NamedObject, all: boolean): RiskLevel {
  switch (effect) {
    case 'read': {
      const key = words.findIndex(
        (word, at) => OBJECTS.keys.has(word) && /^(?:api|access|private|secret|ssh)$/.test(words[at - 1] ?? ''),
      )
      const secret =
        OBJECTS.secrets.has(head) ||
        SECRET_PHRASES.test(words.join(' ')) ||
        (head === 'value' && words.some((word) => OBJECTS.secrets.has(word))) ||
        key !== -1
      if (secret && NAME_WORDS.revealers.has(verb)) return 'high'
      return words.includes('env') || (words.includes('environment') && /^variables?$/.test(head)) ? 'medium' : 'none'
    }
    case 'run':
      return OBJECTS.benignRuns.has(head) || words.includes('tests') ? 'medium' : 'high'
    case 'destroy':
      if (all) return 'critical'
      if (OBJECTS.minor.has(head) || OBJECTS.minor.has(head.replace(/s$/, ''))) return 'medium'
      if (verb === 'reset' && /^(?:git|view|form|counter|zoom|layout|settings)$/.test(head)) return 'medium'
      return OBJECTS.stores.has(head) && !/^(?:cancel|clear|reset|expire|detach|kill)$/.test(verb) ? 'critical' : 'high'
    default:
      return VERBS.effects[effect].level
  }
}

/** The object of a verb. */
interface NamedObject {
  /** The thing itself: the last word before a preposition. */
  readonly head: string
  readonly words: readonly string[]
}

let rowsByVerb: ReadonlyMap<string, readonly VerbObjectRow[]> | undefined

/** The effect of a verb on this object; null if the object makes no difference. */
function effectOnObject(verb: string, object: NamedObject): Effect | null {
  rowsByVerb ??= indexRows()
  return rowsByVerb.get(verb)?.find((row) => fits(row, object))?.effect ?? null
}

function indexRows(): ReadonlyMap<string, readonly VerbObjectRow[]> {
  const index = new Map<string, VerbObjectRow[]>()
  for (const row of VERB_OBJECTS.rows) for (const verb of row.verbs) index.set(verb, [...(index.get(verb) ?? []), row])
  return index
}

function fits(row: VerbObjectRow, { head, words }: NamedObject): boolean {
  const { object, objectIn, word, wordIn, lastWord, phrase } = row
  const isObject = object === undefined && objectIn === undefined ? true : isListed(head, object, objectIn)
  const hasWord = word === undefined && wordIn === undefined ? true : words.some((one) => isListed(one, word, wordIn))
  const isLast = lastWord === undefined || lastWord.includes(words.at(-1) ?? '')
  return isObject && hasWord && isLast && (phrase === undefined || words.join(' ').includes(phrase))
}

function isListed(word: string, list: readonly string[] = [], lists: readonly ObjectList[] = []): boolean {
  return list.includes(word) || lists.some((name) => OBJECTS[name].has(word))
}
