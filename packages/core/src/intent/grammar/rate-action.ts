import {
  intentKnowledge,
  type ObjectCategory,
  type Severity,
  type SingleAction,
  type VerbGroup,
} from '../../knowledge/intent.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import {
  type ActionType,
  atLeast,
  atMost,
  type IntentScope,
  type IntentThresholds,
  oneHigher,
} from '../model/intent.ts'
import type { ReadObject } from './object.ts'

/** An action, rated together with its object. */
export interface RatedAction {
  readonly action: ActionType
  readonly level: RiskLevel
  readonly scope: IntentScope
}

/** Rates a verb by its object, its scope and its environment. */
export function rateAction(name: VerbGroup, object: ReadObject, thresholds: IntentThresholds): RatedAction {
  const severity = intentKnowledge().severity[name]
  const { scope, head, isScratch } = object
  const isPart = head.has('code') || head.has('talk')
  let level = baseLevel(severity, object)
  if (severity.money !== undefined && scope.amount !== undefined) level = atLeast(level, severity.money)
  if (name === 'export' && level === 'none' && isBulkExport(object)) level = 'high'
  if (level === 'none') return { action: 'none', level, scope: {} }
  const isDestroying = severity.action === 'delete' || severity.action === 'overwrite'
  if (severity.action === 'modify' && (scope.amount ?? 0) > thresholds.amount) level = atLeast(level, 'high')
  if (severity.action === 'cancel' && !isPart && (scope.all === true || (scope.records ?? 0) > 1))
    level = atLeast(level, 'high')
  if (object.isSystem && level !== 'none' && isChanging(severity)) level = atLeast(level, 'high')
  if (severity.action === 'modify' && scope.amount !== undefined && isPersonal(object)) level = atLeast(level, 'high')
  if (object.isEvery && isChanging(severity)) level = atLeast(level, scope.environment === 'sandbox' ? level : 'high')
  if (isScratch && isDestroying) level = atMost(level, 'low')
  else if (!isPart) {
    if (scope.all === true && isDestroying && (head.has('data') || head.has('schema') || head.has('people')))
      level = oneHigher(level)
    if (scope.environment === 'production') level = atLeast(level, severity.production)
    if (scope.environment === 'sandbox') level = atMost(level, severity.sandbox)
    if ((scope.records ?? 0) > thresholds.records)
      level = level === 'low' || level === 'medium' ? 'high' : oneHigher(level)
  }
  if (severity.money !== undefined && (scope.amount ?? 0) > thresholds.amount) level = 'critical'
  return { action: batched(severity.action, scope), level, scope }
}

/** Records of people: many of them, or real ones. */
function isBulkExport({ scope, head, within }: ReadObject): boolean {
  if (!within.has('entity') || head.has('code')) return false
  return scope.environment === 'production' || scope.all === true || (scope.records ?? 0) > 1
}

/** Sends the object to somebody, rather than only showing it. */
function isSpreading({ action, otherwise }: Severity): boolean {
  return action === 'send' && otherwise !== 'none'
}

/** Concerns somebody's account or money. */
function isPersonal({ around }: ReadObject): boolean {
  return around.has('entity') || around.has('people') || around.has('money')
}

/** Whether the action changes its object. */
function isChanging({ action }: Severity): boolean {
  return action !== 'execute' && action !== 'install' && action !== 'submit' && action !== 'none'
}

/** Categories that count anywhere in the clause. */
const IN_CLAUSE: ReadonlySet<ObjectCategory> = new Set(['people', 'public', 'trunk'])

/** Categories that count anywhere in the object. */
const IN_OBJECT: ReadonlySet<ObjectCategory> = new Set(['secret', 'work'])

function baseLevel(severity: Severity, { head, within, around, named }: ReadObject): RiskLevel {
  // A list of passwords is a secret, not a list.
  const secret = severity.objects.find(
    ([category]) =>
      category === 'secret' && (isSpreading(severity) ? around : within).has(category) && !head.has('code'),
  )
  if (secret !== undefined) return secret[1]
  const direct = severity.objects.find(([category]) => head.has(category))
  const isPart = head.has('code') || head.has('talk')
  const reached = severity.objects.find(
    ([category]) =>
      around.has(category) &&
      ((IN_CLAUSE.has(category) && !(isPart && category === 'public')) ||
        (IN_OBJECT.has(category) && !isPart && within.has(category)) ||
        ((category === 'vital' || category === 'access' || category === 'guard') && !isPart)),
  )
  if (direct !== undefined)
    return direct[1] === 'none' || reached === undefined ? direct[1] : atLeast(direct[1], reached[1])
  if (reached !== undefined) return reached[1]
  const near = severity.objects.find(
    ([category]) => category !== 'code' && category !== 'scratch' && category !== 'talk' && around.has(category),
  )
  if (near !== undefined && head.size === 0) return near[1]
  return named !== null && severity.otherwise === 'none' ? 'high' : severity.otherwise
}

function batched(action: SingleAction, { records, all }: IntentScope): ActionType {
  const isBatch = (records ?? 0) > 1 || all === true
  if (!isBatch) return action
  return action === 'delete' || action === 'modify' || action === 'send' ? `batch_${action}` : action
}
