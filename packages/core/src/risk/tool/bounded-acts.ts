import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { readName } from '../../call/names/verbs.ts'
import { letterKey, nameWords, plainKey } from '../../call/names/words.ts'
import { AMOUNTS, BOUNDED_ACTS, NAME_WORDS, OBJECTS } from '../../knowledge/compiled/tools.ts'
import type { WordSet } from '../../knowledge/words.ts'
import type { RiskCircumstances } from '../path/located-path.ts'
import type { RiskFinding } from '../report/finding.ts'
import { DEFAULT_THRESHOLDS, type RatedCall } from '../report/rating-input.ts'
import { amountOf, countThings } from './quantities.ts'

/**
 * Lowers high to medium where the arguments show that the act is single and small: one message to one recipient, one
 * payment below the threshold, one test pipeline, one TXT record, a draft. Without such an argument nothing is lowered;
 * counts, amounts and production raise it again.
 */
export function boundActs(
  found: readonly RiskFinding[],
  call: RatedCall,
  objects: readonly JsonObject[],
  now: RiskCircumstances,
): readonly RiskFinding[] {
  const reason = (rule: string): string | null => boundOf(rule, call, objects, now)
  return found.map((one) => {
    if (one.level !== 'high') return one
    const bound = reason(one.rule)
    return bound === null ? one : { ...one, level: 'medium', text: `${one.text}: ${bound}` }
  })
}

function boundOf(rule: string, call: RatedCall, objects: readonly JsonObject[], now: RiskCircumstances): string | null {
  switch (rule) {
    case 'tool.send':
      return isDraft(call) ? 'a draft' : isOneMessage(call, now) ? 'one message' : null
    case 'tool.writes-people':
    case 'tool.invites':
      return isOneMessage(call, now) ? 'one message' : null
    case 'tool.pay':
      if (isDraft(call)) return 'a draft'
      if (isTestMode(objects)) return 'in test mode'
      return isSmallPayment(call, now) ? 'a small amount' : null
    case 'tool.run':
    case 'tool.remote':
      if (isDraft(call)) return 'a draft'
      if (isTextRecord(call)) return 'a TXT record'
      return isTestPipeline(call)
        ? 'a test pipeline'
        : isMergeBesideMain(call)
          ? 'a merge beside the main branch'
          : null
    case 'tool.admin':
      return isTextRecord(call) ? 'a TXT record' : isQuietForAWhile(call) ? 'one alarm, for a while' : null
    default:
      return null
  }
}

const NO_MENTION = /^(?!.*(?:<!(?:channel|here|everyone)|@(?:channel|here|everyone|all)\b))/is

/** Whether the arguments name exactly one recipient, and nothing stands for many people. */
function isOneMessage({ tool, args }: RatedCall, now: RiskCircumstances): boolean {
  if ((amountOf(args, false) ?? 0) > (now.thresholds ?? DEFAULT_THRESHOLDS).amount) return false
  const { words, acts } = readName(tool.name)
  if (!acts.every(({ word }) => BOUNDED_ACTS.messengers.has(word))) return false
  const isCrowd = (word: string): boolean => BOUNDED_ACTS.crowds.has(word)
  if (
    words.some(isCrowd) ||
    nameWords(tool.server ?? '').some((word) => isCrowd(word) && !BOUNDED_ACTS.areas.has(word))
  )
    return false
  let recipients = acts.length > 0 && acts.every(({ word }) => BOUNDED_ACTS.repliers.has(word)) ? 1 : 0
  for (const [key, value] of Object.entries(args)) {
    const name = plainKey(key)
    if (BOUNDED_ACTS.moreRecipients.has(name) && !isEmpty(value)) return false
    if (typeof value === 'string' && !NO_MENTION.test(value.slice(0, MAX_TEXT))) return false
    if (!BOUNDED_ACTS.recipients.has(name)) continue
    const given = Array.isArray(value) ? value : [value]
    if (given.length !== 1 || !given.every(isOnePerson)) return false
    recipients++
  }
  return recipients > 0
}

const MAX_TEXT = 64 * 1024

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function isOnePerson(value: Json): boolean {
  if (typeof value === 'number') return true
  const text = typeof value === 'object' && value !== null && !isArray(value) ? value['email'] : value
  if (typeof text !== 'string' || text === '' || /[,;*\s]/.test(text.trim())) return false
  return !nameWords(text).some((word) => BOUNDED_ACTS.crowds.has(word))
}

/** A payment of a known amount below the threshold, to one payee. */
function isSmallPayment({ tool, args }: RatedCall, now: RiskCircumstances): boolean {
  const { words, acts } = readName(tool.name)
  if (!acts.every(({ word }) => BOUNDED_ACTS.payers.has(word))) return false
  const services = [...words, ...nameWords(tool.server ?? '')]
  if (services.some((word) => BOUNDED_ACTS.crowds.has(word)) || countThings(args, true) > 1) return false
  const minor = services.some((word) => AMOUNTS.minorUnitServices.has(word))
  const amount = amountOf(args, minor)
  return amount !== null && amount > 0 && amount <= (now.thresholds ?? DEFAULT_THRESHOLDS).amount
}

function isTestMode(objects: readonly JsonObject[]): boolean {
  return Object.entries(objects[0] ?? {}).some(([key, value]) => {
    const name = letterKey(key)
    if (name === 'livemode') return value === false
    if (name === 'mode' || name === 'environment') return value === 'test' || value === 'sandbox'
    return value === true && (name === 'testmode' || name === 'test' || name === 'sandbox')
  })
}

/** Whether a call only pays, and only in a payment service's test mode: its amounts are play money. */
export function isTestPayment(found: readonly RiskFinding[], objects: readonly JsonObject[]): boolean {
  return (
    isTestMode(objects) && found.some(({ rule }) => rule === 'tool.pay') && found.every(({ level }) => level !== 'high')
  )
}

/** A draft or preview that is only made, not sent or published. */
function isDraft({ tool, args }: RatedCall): boolean {
  const { words, acts } = readName(tool.name)
  const makes =
    acts.length > 0 && acts.every(({ word }) => NAME_WORDS.makers.has(word) || word === 'deploy' || word === 'preview')
  return (
    makes &&
    (args['draft'] === true || args['status'] === 'draft' || words.some((word) => BOUNDED_ACTS.previews.has(word)))
  )
}

function isTextRecord({ tool, args }: RatedCall): boolean {
  const words = [...nameWords(tool.name), ...nameWords(tool.server ?? '')]
  if (words.includes('txt') && words.some((word) => /^(?:dns|records?)$/.test(word))) return true
  const type = args['type'] ?? args['record_type'] ?? args['recordType']
  return (
    typeof type === 'string' && type.toUpperCase() === 'TXT' && words.some((word) => /^(?:dns|records?)$/.test(word))
  )
}

function isTestPipeline({ tool, args }: RatedCall): boolean {
  const { words } = readName(tool.name)
  let tests =
    words.some((word) => BOUNDED_ACTS.pipelineWords.has(word)) && isBesideMain(args, BOUNDED_ACTS.branchArguments)
  for (const [key, value] of Object.entries(args)) {
    if (typeof value !== 'string' || value.length > 128) continue
    const words = nameWords(value)
    if (words.some((word) => BOUNDED_ACTS.releasing.has(word))) return false
    if (BOUNDED_ACTS.pipelines.has(plainKey(key)) && words.some((word) => OBJECTS.benignRuns.has(word))) tests = true
  }
  return tests
}

/** On a branch of somebody's work. */
function isBesideMain(args: JsonObject, names: WordSet): boolean {
  const branches = Object.entries(args).filter(([key]) => names.has(plainKey(key)))
  return (
    branches.length > 0 &&
    branches.every(
      ([, value]) =>
        typeof value === 'string' &&
        value !== '' &&
        !nameWords(value).some((word) => BOUNDED_ACTS.mainBranches.has(word)),
    )
  )
}

function isMergeBesideMain({ tool, args }: RatedCall): boolean {
  const { acts } = readName(tool.name)
  return acts.length > 0 && acts.every(({ word }) => word === 'merge') && isBesideMain(args, BOUNDED_ACTS.mergeTargets)
}

/** One alarm that is named by its id, until a time that is named too. */
function isQuietForAWhile({ tool, args }: RatedCall): boolean {
  const { words, acts } = readName(tool.name)
  const entries = Object.entries(args).map(([key, value]) => [plainKey(key), value] as const)
  const ids = entries.filter(([key]) => key.endsWith('id'))
  return (
    acts.length > 0 &&
    acts.every(({ word }) => BOUNDED_ACTS.quieters.has(word)) &&
    !words.includes('all') &&
    entries.some(
      ([key, value]) => BOUNDED_ACTS.ends.has(key) && (typeof value === 'number' || typeof value === 'string'),
    ) &&
    ids.length > 0 &&
    ids.every(([, value]) => isOnePerson(value))
  )
}

const ONE_INSERT = /^\s*insert\s+into\s+[\w."`]+\s*(?:\([^()]*\)\s*)?values\s*\([^()]*\)\s*;?\s*$/i
const ONE_UPDATE =
  /^\s*update\s+[\w."`]+\s+set\s[^;]*\swhere\s+["`\w.]*(?:id|uuid|key|slug|sku|number)["`]?\s*=\s*(?:\d+|'[^']*'|\$\d+|\?|:\w+)\s*;?\s*$/i
const INDEX = /^\s*create\s+(?:unique\s+)?index\s[^;]*;?\s*$/i
const MAX_STATEMENT = 4096

/** One row inserted or changed by its key, or an index, is medium; not if a column holds rights, money or a state. */
export function ifOneRow(sql: string, rated: RiskFinding): RiskFinding {
  if (rated.level !== 'high' || sql.length > MAX_STATEMENT || /--|\/\*|#|\bselect\b|\bconflict\b/i.test(sql))
    return rated
  const isOne =
    (rated.rule === 'sql.insert' && ONE_INSERT.test(sql)) || (rated.rule === 'sql.update' && ONE_UPDATE.test(sql))
  const words = sql.toLowerCase().match(/\w+/g) ?? []
  if (isOne && !words.some((word) => BOUNDED_ACTS.sensitiveColumns.has(word)))
    return { ...rated, level: 'medium', text: `${rated.text}: one row` }
  return rated.rule === 'sql.create' && INDEX.test(sql) ? { ...rated, level: 'medium' } : rated
}
