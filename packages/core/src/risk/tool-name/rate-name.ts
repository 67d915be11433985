import type { Kind } from '../../call/descriptor.ts'
import { byName } from '../../call/names/name-cache.ts'
import { readName } from '../../call/names/verbs.ts'
import { nameWords } from '../../call/names/words.ts'
import { type RiskLevel, riskRank } from '../report/level.ts'
import { effectOnWholes, PEOPLE } from './verb-object-effects.ts'
import {
  ACTS_AS_THINGS,
  ADMIN_OBJECTS,
  ALL_WORDS,
  BENIGN_RUNS,
  EFFECT_LEVEL,
  type Effect,
  GUARDS,
  HARMLESS_STOPS,
  KEY_OWNERS,
  KEYS,
  LIGHT,
  LIVE,
  MACHINES,
  MAKERS,
  MESSAGES,
  MONEY,
  PAPERS,
  PREPOSITIONS,
  SECRETS,
  STORES,
  VERB_EFFECTS,
} from './vocabulary.ts'

/** What a tool's name admits to: its worst act, and the thing it acts on. */
export interface NamedAct {
  readonly effect: Effect
  readonly level: RiskLevel
  readonly all: boolean
}

const KIND_EFFECTS: Readonly<Record<Kind, Effect>> = {
  read: 'read',
  fetch: 'look',
  query: 'read',
  write: 'write',
  move: 'write',
  send: 'send',
  execute: 'run',
  delete: 'destroy',
  other: 'write',
}

/**
 * Rates a tool's name by all its verbs, not the first (`get_and_delete_all` deletes), and by what each acts on
 * (`delete_label` is less than `delete_repository`). Null when it has no verb we know. `about` are words that stand for
 * the object when the verb was found elsewhere, such as in `{ action: 'delete' }`.
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
  if (words[0] === 'file' && FILED.test(words.at(-1) ?? '')) return { effect: 'send', level: 'high', all: false }
  let worst: NamedAct | null = null
  for (const { word, at, kind } of acts) {
    const objects = objectsOf(words, at, about)
    // In a clone of one's own a merge is undone as easily as it is done.
    const local = word === 'merge' && words[0] === 'git'
    const notes = word === 'log' && at === 0 && words.length > 1
    const effect = local || notes ? 'write' : effectOf(word, kind, objects, acts.length === 1)
    // `delete_all` alone does not say all of what.
    const bare = objects.words.length === 1 && objects.head === 'all'
    const all = !bare && [...words, ...about].some((one) => ALL_WORDS.has(one))
    const plain = levelOf(word, effect, objects, all)
    const forced = words.some((one) => one === 'force' || one === 'hard' || one === 'unsafe')
    const many = all && effect !== 'read' && PEOPLE.test(objects.head)
    const level = plain === 'medium' && (forced || many) ? 'high' : plain
    if (worst === null || riskRank(level) > riskRank(worst.level)) worst = { effect, level, all }
  }
  return worst
}

/** `maintenance_on`, `firewall_off`: no verb, and still an act. */
function switchesOnOrOff(words: readonly string[]): boolean {
  return /^(?:on|off)$/.test(words.at(-1) ?? '') && words.some((word) => ADMIN_OBJECTS.has(word) || GUARDS.has(word))
}

/** What is filed with an office, not kept in a folder. */
const FILED = /^(?:return|taxes|claim|complaint|lawsuit|motion|patent)$/

const SETS_OFF =
  /^(?:request|schedule|force|queue|begin|approve|submit|apply|create|initiate|start|trigger|execute|perform|run)$/

/** `schedule_deletion` and `force_logout` set off what their noun says: the same name with its verb. */
function namedAct(name: string): string | null {
  const { words, acts } = readName(name)
  if (words.length < 2 || !acts.every(({ word }) => SETS_OFF.test(word))) return null
  const at = words.findIndex((word) => ACTS_AS_THINGS.has(word) && !acts.some((act) => act.word === word))
  const verb = ACTS_AS_THINGS.get(words[at] ?? '')
  // Behind it there may be a record of it: `deletion_report`.
  if (verb === undefined || at !== words.length - 1) return null
  return [verb, ...words.slice(0, at).filter((word) => !SETS_OFF.test(word))].join('_')
}

/** Tools made from an HTTP interface are called by their method: `API-post-search`, `API-delete-a-block`. */
function restAct(name: string): NamedAct | null {
  const [first, method, ...rest] = nameWords(name)
  if ((first !== 'api' && first !== 'rest') || method === undefined) return null
  const asks = method === 'get' || (method === 'post' && rest.some((word) => /^(?:search|query|find|list)$/.test(word)))
  if (asks) return { effect: 'read', level: 'none', all: false }
  if (method === 'delete') return rateName(`delete_${rest.join('_')}`)
  return /^(?:post|put|patch)$/.test(method) ? { effect: 'write', level: 'medium', all: false } : null
}

interface Objects {
  /** The thing itself: the last word before a preposition. */
  readonly head: string
  readonly words: readonly string[]
}

function objectsOf(words: readonly string[], verb: number, about: readonly string[]): Objects {
  const after = words.slice(verb + 1)
  const end = after.findIndex((word) => PREPOSITIONS.has(word))
  const own = (end === -1 ? after : after.slice(0, end)).filter((word) => !/^(?:v?\d+|id|ids|the|a|my)$/.test(word))
  // `remove_from_cart` is about the cart, `repo_delete` names its object first.
  const light = own.length === 0 ? after.filter((word) => LIGHT.has(word)) : []
  const named = [own, light, about].find((one) => one.length > 0) ?? words.slice(0, verb)
  return { head: named.at(-1) ?? '', words: own.length > 0 || named.length === 0 ? after : named }
}

function effectOf(verb: string, kind: Kind, objects: Objects, only: boolean): Effect {
  const base = VERB_EFFECTS.get(verb) ?? KIND_EFFECTS[kind]
  const { head, words } = objects
  const about = words.filter((word) => !PAPERS.has(word))
  if (verb === 'call' && /^(?:hierarchy|graph|stack|tree|count|logs?|history)$/.test(head)) return 'read'
  if (base === 'read') return base
  if (base === 'look') return SECRETS.has(head) ? 'read' : base
  if (verb === 'select') return /^options?$|^values?$/.test(head) ? 'write' : 'read'
  const felt = effectOnWholes(verb, head, words.length > 0 ? words : [head])
  if (felt !== null) return felt
  if (MAKERS.has(verb) && only) {
    if (!PAPERS.has(head) && about.some((word) => MONEY.has(word))) return 'pay'
    if (MESSAGES.has(head)) return 'send'
    if (LIVE.has(head)) return 'remote'
  }
  // Comments and reviews stay where the work is; they are not mail.
  if (base === 'send' && STAYS.test(head)) return 'write'
  if (verb === 'order' || verb === 'sign') return MONEY.has(head) || words.includes('transaction') ? 'pay' : 'write'
  if (verb === 'call' && CALLABLE.test(head)) return 'run'
  if (verb === 'push' && /^notifications?$/.test(head)) return 'send'
  if (verb === 'apply' && MANIFESTS.test([head, ...words].join(' '))) return 'remote'
  if (/^(?:pause|resume|start|resize|scale)$/.test(verb) && MACHINES.has(head))
    return verb === 'start' ? 'write' : 'remote'
  if (base === 'remote' && HARMLESS_STOPS.has(head) && /^(?:stop|halt|restart|trigger|shutdown)$/.test(verb))
    return 'small'
  if (verb === 'format' && STORES.has(head)) return 'destroy'
  if (base === 'write' && /^drafts?$/.test(head)) return 'small'
  if ((base === 'write' || base === 'small') && isRight(words)) return 'admin'
  return base
}

const STAYS =
  /^(?:comments?|reviews?|issues?|data|requests?|form|keys?|keystrokes?|input|events?|metrics?|telemetry|logs?|spans?|query|process|processing)$/

const MANIFESTS =
  /\b(?:kubectl|k8s|kubernetes|terraform|tf|helm|manifest|manifests|migration|migrations|plan|infrastructure|config)\b/

/** What is called without ringing anybody. */
const CALLABLE = /^(?:tools?|functions?|api|apis|endpoint|mcp|agent|service|method|rpc|model|llm|procedure|aws)$/

function isRight(words: readonly string[]): boolean {
  return words.some((word, at) => ADMIN_OBJECTS.has(word) || (KEYS.has(word) && KEY_OWNERS.has(words[at - 1] ?? '')))
}

const SECRET_PHRASES =
  /\b(?:connection string|kube ?config|private key|keychain|recovery codes?|backup codes?|session cookies?)$/

/** Verbs that show a secret's value rather than its name. */
const REVEALS =
  /^(?:get|access|read|show|view|retrieve|fetch|extract|decode|print|cat|reveal|decrypt|unmask|expose|dump)$/

function levelOf(verb: string, effect: Effect, { head, words }: Objects, all: boolean): RiskLevel {
  switch (effect) {
    case 'read': {
      const key = words.findIndex(
        (word, at) => KEYS.has(word) && /^(?:api|access|private|secret|ssh)$/.test(words[at - 1] ?? ''),
      )
      const secret =
        SECRETS.has(head) ||
        SECRET_PHRASES.test(words.join(' ')) ||
        (head === 'value' && words.some((word) => SECRETS.has(word))) ||
        key !== -1
      if (secret && REVEALS.test(verb)) return 'high'
      return words.includes('env') || (words.includes('environment') && /^variables?$/.test(head)) ? 'medium' : 'none'
    }
    case 'run':
      return BENIGN_RUNS.has(head) || words.includes('tests') ? 'medium' : 'high'
    case 'destroy':
      if (all) return 'critical'
      if (LIGHT.has(head) || LIGHT.has(head.replace(/s$/, ''))) return 'medium'
      if (verb === 'reset' && /^(?:git|view|form|counter|zoom|layout|settings)$/.test(head)) return 'medium'
      return STORES.has(head) && !/^(?:cancel|clear|reset|expire|detach|kill)$/.test(verb) ? 'critical' : 'high'
    default:
      return EFFECT_LEVEL[effect]
  }
}
