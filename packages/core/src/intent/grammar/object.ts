import { lexicon } from '../lexicon/lexicon.ts'
import { ADJECTIVES, ALL_WORDS, SANDBOX_WORDS, thingsOf } from '../lexicon/object-categories.ts'
import type { IntentScope, IntentThresholds } from '../model/intent.ts'
import type { Thing } from '../model/thing.ts'
import type { Token } from '../text/tokenizer.ts'
import { words } from '../text/words.ts'

/** What a verb is done to, as far as the words say. */
export interface ReadObject {
  readonly scope: IntentScope
  /** What the last known word of it is. */
  readonly head: ReadonlySet<Thing>
  /** What any word of it before a preposition is. */
  readonly within: ReadonlySet<Thing>
  /** What any word up to the end of the clause is. */
  readonly around: ReadonlySet<Thing>
  /** Every one of something that is each somebody's: `for every customer`. */
  readonly isEvery: boolean
  /** A piece of code or a quotation stands for it. */
  readonly named: string | null
  readonly isScratch: boolean
  /** A path that the machine lives by. */
  readonly isSystem: boolean
}

const PREPOSITIONS = words(
  `from in on at with for to into onto by as via during throughout till per about over across against under within inside using through de del des du aus von im em da do dos das dans sur en`,
)
const ENDS = words(
  `and then but because so if which before after when while unless until since though y et und e puis luego dann`,
)
/** How many words an object is looked for in. */
const REACH = 16
const SCRATCH_NAME =
  /(^|[/\\.])(node_modules|dist|build|tmp|temp|cache|\.next|target|coverage|__pycache__|scratch|fixtures?|mocks?|sandbox|test|tests)([/\\.]|$)/i

const SYSTEM_NAME =
  /^(?:\/(?:etc|usr|boot|bin|sbin|lib|dev|root|opt|var\/lib|srv|proc|sys)(?:\/|$)|\/$|~\/?$|~\/\.ssh|~\/\.aws)/

/** What a sentence says of where its actions happen, read once. */
export interface Setting {
  readonly thresholds: IntentThresholds
  /** It names production, and denies nothing. */
  readonly isProduction: boolean
}

/** Reads the setting of a sentence. */
export function settingOf(tokens: readonly Token[], thresholds: IntentThresholds): Setting {
  const isDenied = tokens.some(({ word }) => word === 'not')
  return { thresholds, isProduction: !isDenied && tokens.some(isProductionIn(thresholds.productionWords)) }
}

/** Reads the object that starts at a token. */
export function readObject(tokens: readonly Token[], from: number, setting: Setting): ReadObject {
  return objectOf(regionAt(tokens, from), setting)
}

/** The object made of these tokens. */
export function objectOf(region: readonly Token[], setting: Setting): ReadObject {
  const cut = region.findIndex(({ kind, word }, at) => at > 0 && kind === 'word' && PREPOSITIONS.has(word))
  const head = cut < 0 ? region : region.slice(0, cut)
  const around = thingsIn(region)
  const of = head.findIndex(({ word }) => word === 'of')
  const isShare = of > 0 && ATTRIBUTES.has(head[of - 1]?.word ?? '')
  const known = lastKnown(of < 0 || isShare ? [] : head.slice(0, of)) ?? lastKnown(head)
  const named = head.find(({ cut: one }) => one !== undefined)?.cut?.text ?? null
  const path = head.find(({ word }) => word.length > 2 && /^[~.]{0,2}\//.test(word))?.word ?? null
  const records = countIn(head) ?? countIn(region)
  const money = region.find(({ kind }) => kind === 'money')
  const environment = environmentOf(region, head, setting)
  const type = typeOf(head)
  const heads = known === undefined ? namedThing(named ?? path, around) : thingsOf(known.word)
  return {
    scope: {
      ...(records === undefined ? {} : { records }),
      ...(type === '' ? {} : { type }),
      ...(region.some(({ word }, at) => ALL_WORDS.has(word) && (at < head.length || isMany(region.slice(at, at + 4))))
        ? { all: true }
        : {}),
      ...(money?.value === undefined ? {} : { amount: money.value, currency: money.currency ?? '' }),
      ...(environment === undefined ? {} : { environment }),
    },
    head: isInCode(region, cut) && !heads.has('talk') ? new Set(['code']) : heads,
    isEvery: region.some(({ word }, at) => ALL_WORDS.has(word) && isEntity(region.slice(at + 1, at + 5))),
    within: thingsIn(head),
    around,
    named: named ?? path,
    isSystem: [named, path].some((one) => one !== null && SYSTEM_NAME.test(one)),
    isScratch:
      (head.some(({ word }) => thingsOf(word).has('scratch')) && !heads.has('infra') && environment !== 'production') ||
      [named, path].some((one) => one !== null && SCRATCH_NAME.test(one)) ||
      region.some(({ word }) => /^\/?(tmp|var\/tmp)\//.test(word) || word === '/tmp'),
  }
}

/** `the type of …`, `the rest of …`: what follows is what it is about. */
const ATTRIBUTES = words(
  'type name size value values content contents rest half most all number set list bunch couple copy lot lots history state status part parts portion majority',
)

/** What they are of says more: `the formatting change`. */
const GENERIC = words('change changes update updates edit edits item items')

function lastKnown(tokens: readonly Token[]): Token | undefined {
  const isKnown = ({ word, kind }: Token) => kind === 'word' && !ALL_WORDS.has(word) && thingsOf(word).size > 0
  const last = tokens.findLast(isKnown)
  if (last === undefined || !GENERIC.has(last.word)) return last
  return tokens.findLast((token) => isKnown(token) && !GENERIC.has(token.word)) ?? last
}

function thingsIn(tokens: readonly Token[]): ReadonlySet<Thing> {
  const found = new Set<Thing>()
  for (const { word, kind } of tokens) if (kind === 'word') for (const thing of thingsOf(word)) found.add(thing)
  return found
}

function isMany(tokens: readonly Token[]): boolean {
  const things = thingsIn(tokens)
  return things.has('people') || things.has('entity')
}

/** Whether the first noun is one, and no part of a longer name. */
function isEntity(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex(({ word }) => thingsOf(word).has('entity'))
  if (at < 0 || tokens.slice(0, at).some(({ word, kind }) => kind === 'stop' || PREPOSITIONS.has(word))) return false
  const next = tokens[at + 1]
  return next === undefined || !(thingsOf(next.word).has('code') || thingsOf(next.word).has('talk'))
}

const SOURCE = words(
  'function functions method methods class component handler hook loop reducer constructor module interface codebase snippet spec parser string strings text html markup array json template response payload url regex query sentence paragraph essay readme changelog example line lines code dictionary',
)
const INTO_SOURCE = words('in inside within from')

/** `… in the cleanup function`: what is done to a part of a program. */
function isInCode(region: readonly Token[], cut: number): boolean {
  if (cut < 0 || !INTO_SOURCE.has(region[cut]?.word ?? '')) return false
  return region.slice(cut + 1, cut + 5).some(({ word }) => SOURCE.has(word))
}

const PATH =
  /[/\\]|\.(?:db|sql|sqlite|csv|json|ya?ml|toml|ini|env|txt|md|log|bak|zip|tar|gz|pem|key|conf|cfg|xml|html|py|ts|js|go|rs|java|rb|php|sh|xlsx?|pdf|docx?|png|jpe?g)$|^\.env/i
const CODE_NAME = /^[\w$.]+\(.*\)$|^[\w$]+\.[\w$.]+$|^@|^import\b|^--?\w/

/** What a name in code style stands for: a file, a part of a program, or we do not know. */
function namedThing(name: string | null, around: ReadonlySet<Thing>): ReadonlySet<Thing> {
  if (name === null) return new Set()
  if (PATH.test(name.trim()) && !(around.has('code') && !/[/\\]/.test(name))) return new Set(['data'])
  return CODE_NAME.test(name.trim()) || around.has('code') ? new Set(['code']) : new Set()
}

function regionAt(tokens: readonly Token[], from: number): readonly Token[] {
  let to = from
  while (to < tokens.length && to - from < REACH) {
    const token = tokens[to]
    if (token === undefined || (token.kind === 'stop' && token.word !== '(' && token.word !== '=')) break
    if (
      to > from &&
      ENDS.has(token.word) &&
      !(
        token.word === 'and' &&
        lexicon().verbs.match(tokens, to + 1) === null &&
        lexicon().cues.match(tokens, to + 1) === null
      )
    )
      break
    to++
  }
  return tokens.slice(from, to)
}

function countIn(tokens: readonly Token[]): number | undefined {
  const at = tokens.findIndex(
    ({ kind }, here) => kind === 'number' && tokens[here + 1] !== undefined && tokens[here + 1]?.kind !== 'stop',
  )
  return at < 0 ? undefined : tokens[at]?.value
}

function isProductionIn(names: ReadonlySet<string>): (token: Token, at: number, all: readonly Token[]) => boolean {
  return ({ word }, at, all) =>
    (names.has(word) ||
      word
        .split(/[-_./]/, 8)
        .some((part) => part === 'prod' || part === 'production' || /^produkti(?:v|ons)/.test(part))) &&
    !/^non?-?prod/.test(word) &&
    !/^(?:non|not|no)$/.test(all[at - 1]?.word ?? '')
}

const UNSAVED = words('changes edits commits work modifications')

function environmentOf(
  region: readonly Token[],
  head: readonly Token[],
  { thresholds, isProduction }: Setting,
): IntentScope['environment'] {
  const isNamed = isProductionIn(thresholds.productionWords)
  // Local changes are somebody's work; a local server is not.
  const isSandbox = ({ word }: Token, at: number, all: readonly Token[]) =>
    SANDBOX_WORDS.has(word) && !(word === 'local' && UNSAVED.has(all[at + 1]?.word ?? ''))
  if (head.some(isSandbox) && !head.some(isNamed)) return 'sandbox'
  if (region.some(isNamed)) return 'production'
  if (region.some(isSandbox)) return 'sandbox'
  return isProduction ? 'production' : undefined
}

function typeOf(head: readonly Token[]): string {
  const named = head.filter(
    ({ kind, word }) => kind === 'word' && !ADJECTIVES.has(word) && /^[\p{L}][\p{L}\p{N}_-]*$/u.test(word),
  )
  return named
    .slice(0, 3)
    .map(({ word }) => word.replaceAll('-', '_'))
    .join('_')
}
