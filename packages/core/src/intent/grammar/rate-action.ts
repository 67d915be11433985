import type { RiskLevel } from '../../risk/report/level.ts'
import type { ActionType, IntentScope, IntentThresholds } from '../model/intent.ts'
import { atLeast, atMost, oneHigher } from '../model/level-order.ts'
import type { Thing } from '../model/thing.ts'
import type { Profile } from '../severity/profile.ts'
import { PROFILES, type ProfileName } from '../severity/profiles.ts'
import type { ReadObject } from './object.ts'

/** An action with what it is done to, rated. */
export interface RatedAction {
  readonly action: ActionType
  readonly level: RiskLevel
  readonly scope: IntentScope
}

/** Rates a verb together with its object, its magnitude and where it happens. */
export function rateAction(name: ProfileName, object: ReadObject, thresholds: IntentThresholds): RatedAction {
  const profile: Profile = PROFILES[name]
  const { scope, head, isScratch } = object
  const isPart = head.has('code') || head.has('talk')
  let level = baseLevel(profile, object)
  if (profile.money !== undefined && scope.amount !== undefined) level = atLeast(level, profile.money)
  if (name === 'export' && level === 'none' && isEverybodys(object)) level = 'high'
  if (level === 'none') return { action: 'none', level, scope: {} }
  const isDestroying = profile.action === 'delete' || profile.action === 'overwrite'
  if (profile.action === 'modify' && (scope.amount ?? 0) > thresholds.amount) level = atLeast(level, 'high')
  if (profile.action === 'cancel' && !isPart && (scope.all === true || (scope.records ?? 0) > 1))
    level = atLeast(level, 'high')
  if (object.isSystem && level !== 'none' && isChanging(profile)) level = atLeast(level, 'high')
  if (profile.action === 'modify' && scope.amount !== undefined && isOnes(object)) level = atLeast(level, 'high')
  if (object.isEvery && isChanging(profile)) level = atLeast(level, scope.environment === 'sandbox' ? level : 'high')
  if (isScratch && isDestroying) level = atMost(level, 'low')
  else if (!isPart) {
    if (scope.all === true && isDestroying && (head.has('data') || head.has('schema') || head.has('people')))
      level = oneHigher(level)
    if (scope.environment === 'production') level = atLeast(level, profile.production)
    if (scope.environment === 'sandbox') level = atMost(level, profile.sandbox)
    if ((scope.records ?? 0) > thresholds.records)
      level = level === 'low' || level === 'medium' ? 'high' : oneHigher(level)
  }
  if (profile.money !== undefined && (scope.amount ?? 0) > thresholds.amount) level = 'critical'
  return { action: batched(profile.action, scope), level, scope }
}

/** Somebody's records, many or real ones. */
function isEverybodys({ scope, head, within }: ReadObject): boolean {
  if (!within.has('entity') || head.has('code')) return false
  return scope.environment === 'production' || scope.all === true || (scope.records ?? 0) > 1
}

/** Sends it to somebody, rather than only showing it. */
function isSpreading({ action, else: rest }: Profile): boolean {
  return action === 'send' && rest !== 'none'
}

/** About somebody's money. */
function isOnes({ around }: ReadObject): boolean {
  return around.has('entity') || around.has('people') || around.has('money')
}

/** Whether doing it to all of something changes it. */
function isChanging({ action }: Profile): boolean {
  return action !== 'execute' && action !== 'install' && action !== 'submit' && action !== 'none'
}

/** What counts wherever it stands in the clause. */
const REACHED: ReadonlySet<Thing> = new Set(['people', 'public', 'trunk'])

/** What counts wherever it stands in the object itself. */
const OWN: ReadonlySet<Thing> = new Set(['secret', 'work'])

function baseLevel(profile: Profile, { head, within, around, named }: ReadObject): RiskLevel {
  // A list of passwords is more than a list.
  const spent = profile.by.find(
    ([thing]) => thing === 'secret' && (isSpreading(profile) ? around : within).has(thing) && !head.has('code'),
  )
  if (spent !== undefined) return spent[1]
  const own = profile.by.find(([thing]) => head.has(thing))
  const isPart = head.has('code') || head.has('talk')
  const reached = profile.by.find(
    ([thing]) =>
      around.has(thing) &&
      ((REACHED.has(thing) && !(isPart && thing === 'public')) ||
        (OWN.has(thing) && !isPart && within.has(thing)) ||
        ((thing === 'vital' || thing === 'access' || thing === 'guard') && !isPart)),
  )
  if (own !== undefined) return own[1] === 'none' || reached === undefined ? own[1] : atLeast(own[1], reached[1])
  if (reached !== undefined) return reached[1]
  const near = profile.by.find(
    ([thing]) => thing !== 'code' && thing !== 'scratch' && thing !== 'talk' && around.has(thing),
  )
  if (near !== undefined && head.size === 0) return near[1]
  return named !== null && profile.else === 'none' ? 'high' : profile.else
}

function batched(action: Profile['action'], { records, all }: IntentScope): ActionType {
  const isBatch = (records ?? 0) > 1 || all === true
  if (!isBatch) return action
  return action === 'delete'
    ? 'batch_delete'
    : action === 'modify'
      ? 'batch_modify'
      : action === 'send'
        ? 'batch_send'
        : action
}
