import { type ObjectCategory, wordClass } from '../../knowledge/intent.ts'
import { lexicon } from '../lexicon/lexicon.ts'
import { categoriesOf } from '../lexicon/object-categories.ts'
import type { IntentScope, IntentThresholds } from '../model/intent.ts'
import type { Token } from '../text/tokenizer.ts'

/** The object of a verb, as far as the words tell. */
export interface ReadObject {
  readonly scope: IntentScope
  /** Categories of its last known word. */
  readonly head: ReadonlySet<ObjectCategory>
  /** Categories of every word before a preposition. */
  readonly within: ReadonlySet<ObjectCategory>
  /** Categories of every word up to the end of the clause. */
  readonly around: ReadonlySet<ObjectCategory>
  /** All of something that people own one by one: `for every customer`. */
  readonly isEvery: boolean
  /** The code or quotation that names it. */
  readonly named: string | null
  readonly isScratch: boolean
  /** A path of the operating system. */
  readonly isSystem: boolean
}

const ADJECTIVES = wordClass('adjectives')
const ALL_WORDS = wordClass('all')
const SANDBOX_WORDS = wordClass('sandbox')
const PREPOSITIONS = wordClass('prepositions')
const ENDS = wordClass('clause_ends')
/** How many words an object may have. */
const REACH = 16
const SCRATCH_NAME =
  /(^|[/\\.])(node_modules|dist|build|tmp|temp|cache|\.next|target|coverage|__pycache__|scratch|fixtures?|mocks?|sandbox|test|tests)([/\\.]|$)/i

const SYSTEM_NAME =
  /^(?:\/(?:etc|usr|boot|bin|sbin|lib|dev|root|opt|var\/lib|srv|proc|sys)(?:\/|$)|\/$|~\/?$|~\/\.ssh|~\/\.aws)/

/** The environment of a sentence, read once. */
export interface Setting {
  readonly thresholds: IntentThresholds
  /** It names production and has no negation. */
  readonly isProduction: boolean
}

/** Reads the setting of a sentence. */
export function settingOf(tokens: readonly Token[], thresholds: IntentThresholds): Setting {
  const isDenied = tokens.some(({ word }) => word === 'not')
  const isNamed = !isDenied && tokens.some(isProductionIn(thresholds.productionWords))
  return { thresholds, isProduction: thresholds.inProduction === true || isNamed }
}

/** Reads the object that starts at a token. */
export function readObject(tokens: readonly Token[], from: number, setting: Setting): ReadObject {
  return objectOf(regionAt(tokens, from), setting)
}

/** The object made of these tokens. */
export function objectOf(region: readonly Token[], setting: Setting): ReadObject {
  const end = region.findIndex(({ kind, word }, at) => at > 0 && kind === 'word' && PREPOSITIONS.has(word))
  const head = withoutParticle(end < 0 ? region : region.slice(0, end))
  const around = categoriesIn(region)
  const of = head.findIndex(({ word }) => word === 'of')
  const isShare = of > 0 && ATTRIBUTES.has(head[of - 1]?.word ?? '')
  const known = lastKnown(of < 0 || isShare ? [] : head.slice(0, of)) ?? lastKnown(head)
  const named = head.find(({ excerpt }) => excerpt !== undefined)?.excerpt?.text ?? null
  const path = head.find(({ word }) => word.length > 2 && /^[~.]{0,2}\//.test(word))?.word ?? null
  const records = countIn(head) ?? countIn(region)
  const money = region.find(({ kind }) => kind === 'money')
  const environment = environmentOf(region, head, setting)
  const type = typeOf(head)
  const heads = known === undefined ? namedCategory(named ?? path, around) : categoriesOf(known.word)
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
    head: isInCode(region, end) && !heads.has('talk') ? new Set(['code']) : heads,
    isEvery: region.some(({ word }, at) => ALL_WORDS.has(word) && isEntity(region.slice(at + 1, at + 5))),
    within: categoriesIn(head),
    around,
    named: named ?? path,
    isSystem: [named, path].some((one) => one !== null && SYSTEM_NAME.test(one)),
    isScratch:
      (head.some(({ word }) => categoriesOf(word).has('scratch')) &&
        !heads.has('infra') &&
        environment !== 'production') ||
      [named, path].some((one) => one !== null && SCRATCH_NAME.test(one)) ||
      region.some(({ word }) => /^\/?(tmp|var\/tmp)\//.test(word) || word === '/tmp'),
  }
}

const PARTICLES = wordClass('trailing_particles')

/** `make the function public`: the last word belongs to the verb. */
function withoutParticle(head: readonly Token[]): readonly Token[] {
  return head.length > 1 && PARTICLES.has(head.at(-1)?.word ?? '') ? head.slice(0, -1) : head
}

const ATTRIBUTES = wordClass('attributes')

const GENERIC = wordClass('generic_nouns')

function lastKnown(tokens: readonly Token[]): Token | undefined {
  const isKnown = ({ word, kind }: Token) => kind === 'word' && !ALL_WORDS.has(word) && categoriesOf(word).size > 0
  const last = tokens.findLast(isKnown)
  if (last === undefined || !GENERIC.has(last.word)) return last
  return tokens.findLast((token) => isKnown(token) && !GENERIC.has(token.word)) ?? last
}

function categoriesIn(tokens: readonly Token[]): ReadonlySet<ObjectCategory> {
  const found = new Set<ObjectCategory>()
  for (const { word, kind } of tokens)
    if (kind === 'word') for (const category of categoriesOf(word)) found.add(category)
  return found
}

function isMany(tokens: readonly Token[]): boolean {
  const categories = categoriesIn(tokens)
  return categories.has('people') || categories.has('entity')
}

/** Whether the first noun is an entity and not part of a longer name. */
function isEntity(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex(({ word }) => categoriesOf(word).has('entity'))
  if (at < 0 || tokens.slice(0, at).some(({ word, kind }) => kind === 'stop' || PREPOSITIONS.has(word))) return false
  const next = tokens[at + 1]
  return next === undefined || !(categoriesOf(next.word).has('code') || categoriesOf(next.word).has('talk'))
}

const SOURCE = wordClass('source_code')
const INTO_SOURCE = wordClass('into_source')

/** `… in the cleanup function`: a part of a program. */
function isInCode(region: readonly Token[], preposition: number): boolean {
  if (preposition < 0 || !INTO_SOURCE.has(region[preposition]?.word ?? '')) return false
  return region.slice(preposition + 1, preposition + 5).some(({ word }) => SOURCE.has(word))
}

const PATH =
  /[/\\]|\.(?:db|sql|sqlite|csv|json|ya?ml|toml|ini|env|txt|md|log|bak|zip|tar|gz|pem|key|conf|cfg|xml|html|py|ts|js|go|rs|java|rb|php|sh|xlsx?|pdf|docx?|png|jpe?g)$|^\.env/i
const CODE_NAME = /^[\w$.]+\(.*\)$|^[\w$]+\.[\w$.]+$|^@|^import\b|^--?\w/

/** The category of a name in code style: a file, a part of a program, or unknown. */
function namedCategory(name: string | null, around: ReadonlySet<ObjectCategory>): ReadonlySet<ObjectCategory> {
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

const UNSAVED = wordClass('unsaved_work')

function environmentOf(
  region: readonly Token[],
  head: readonly Token[],
  { thresholds, isProduction }: Setting,
): IntentScope['environment'] {
  const isNamed = isProductionIn(thresholds.productionWords)
  // Local changes are somebody's work; a local server is a test environment.
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
