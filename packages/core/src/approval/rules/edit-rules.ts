import { canonicalJson } from '../../call/json/canonical.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { assertNever, CountersignError } from '../../errors.ts'
import type { Supervision } from '../../policy/model/supervision.ts'
import { targetWords } from './rule-target.ts'
import { hasConditions, withoutRule, withRule } from './rules-text.ts'
import type { RulesChange } from './signed-rules.ts'

/** What a person wants changed. */
export type RulesEdit =
  /** `default`: removes the rule with these conditions. */
  | {
      readonly kind: 'set'
      readonly conditions: JsonObject
      readonly supervision: Supervision | 'default'
      /** What its commands may also do in the sandbox. */
      readonly contain?: JsonObject | undefined
    }
  /** Rules as in a policy file; `from` names their origin. */
  | { readonly kind: 'add'; readonly rules: readonly JsonObject[]; readonly from: string }
  /** Takes one change back; the last one if `seq` is null. */
  | { readonly kind: 'undo'; readonly seq: number | null }
  /** Signs the rules in the file as they are. */
  | { readonly kind: 'sign' }
  | { readonly kind: 'pause'; readonly reason: string | null; readonly by: string }
  | { readonly kind: 'resume' }

/** Rules after an edit, and the change in words. */
export interface EditedRules extends Pick<RulesChange, 'what' | 'undoes'> {
  readonly rules: readonly JsonObject[]
}

/** An earlier change with the rules before and after it. */
export interface PastChange extends Pick<RulesChange, 'seq' | 'act' | 'what' | 'undoes'> {
  readonly before: readonly JsonObject[]
  readonly after: readonly JsonObject[]
}

const PAUSE_ID = 'pause'

/** The rules after an edit. Throws if there is nothing to change. Only `resume` removes a pause. */
export function editRules(
  all: readonly JsonObject[],
  edit: Exclude<RulesEdit, { readonly kind: 'undo' }>,
): EditedRules {
  const [rules, paused] = splitPause(all)
  switch (edit.kind) {
    case 'set': {
      const set = setRule(rules, edit)
      return { ...set, rules: [...set.rules, ...paused] }
    }
    case 'add': {
      if (edit.rules.length === 0) throw nothing('there are no rules to add')
      if (pauseIn(edit.rules) !== null) throw nothing(`the id \`${PAUSE_ID}\` is reserved; give the rule another one`)
      const added = [...edit.rules.reduce(withRule, rules), ...paused]
      return {
        rules: added,
        what: `${edit.rules.length === 1 ? 'a rule' : `${edit.rules.length} rules`} from ${edit.from}`,
        undoes: null,
      }
    }
    case 'sign':
      return { rules: all, what: 'the rules in the file, signed again', undoes: null }
    case 'pause': {
      if (paused.length > 0) throw nothing('already paused; to resume, run `countersign resume`')
      const why = edit.reason === null ? '' : `: ${edit.reason}`
      const rule = {
        id: PAUSE_ID,
        tool: '*',
        supervision: 'confirm',
        floor: true,
        reason: `paused by ${edit.by}${why}`,
      }
      return { rules: [...rules, rule], what: `paused${why}`, undoes: null }
    }
    case 'resume':
      if (paused.length === 0) throw nothing('not paused')
      return { rules, what: 'resumed', undoes: null }
    default:
      return assertNever(edit)
  }
}

function splitPause(rules: readonly JsonObject[]): readonly [readonly JsonObject[], readonly JsonObject[]] {
  return [rules.filter(({ id }) => id !== PAUSE_ID), rules.filter(({ id }) => id === PAUSE_ID)]
}

/** Why everything is paused; null if it is not. */
export function pauseIn(rules: readonly JsonObject[]): string | null {
  const found = rules.find(({ id }) => id === PAUSE_ID)
  return found === undefined ? null : String(found['reason'] ?? '')
}

/**
 * Unasked up to any risk would be another promise: the rule keeps the language's own ceiling, medium. One that asks is a
 * floor: in the place of the preset's row it would ask for less at a high risk.
 */
function setRule(
  rules: readonly JsonObject[],
  { conditions, supervision, contain }: Extract<RulesEdit, { readonly kind: 'set' }>,
): EditedRules {
  const what = `${targetWords(conditions)}: ${supervision}`
  const known = rules.find((rule) => hasConditions(rule, conditions))
  if (supervision === 'default') {
    if (known === undefined) throw nothing(`no rule was set for ${targetWords(conditions)}`)
    return { rules: withoutRule(rules, conditions), what, undoes: null }
  }
  const asking = isAsking(supervision) ? { floor: true } : {}
  const rule: JsonObject = { ...conditions, supervision, ...asking, ...(contain === undefined ? {} : { contain }) }
  if (known !== undefined && isSameRule(known, rule)) throw nothing(`${what} is set already`)
  return { rules: withRule(rules, rule), what, undoes: null }
}

/** Whether two rules for the same conditions do the same. */
function isSameRule(one: JsonObject, other: JsonObject): boolean {
  return ['supervision', 'floor', 'contain'].every(
    (key) => canonicalJson(one[key] ?? null) === canonicalJson(other[key] ?? null),
  )
}

function isAsking(supervision: Supervision): boolean {
  return supervision === 'confirm' || supervision === 'manual'
}

/** The change that an undo takes back: the newest that is not undone, and no pause. */
export function changeToUndo(past: readonly PastChange[], seq: number | null): PastChange {
  const undone = new Set(past.map(({ undoes }) => undoes))
  const found =
    seq === null
      ? past.toReversed().find((one) => (one.act === 'set' || one.act === 'add') && !undone.has(one.seq))
      : past.find((one) => one.seq === seq)
  if (found?.act === 'pause' || found?.act === 'resume')
    throw nothing('a pause can’t be undone; use `countersign pause` and `countersign resume`')
  if (found !== undefined) return found
  throw nothing(
    seq === null ? 'there is no change to undo' : `no change ${seq}; list them with \`countersign policy changes\``,
  )
}

/** The rules without one earlier change. Throws CS_STALE if a later one changed the same rules. */
export function withoutChange(all: readonly JsonObject[], { seq, what, before, after }: PastChange): EditedRules {
  const [rules, paused] = splitPause(all)
  const [old, made] = [keysOf(before), keysOf(after)]
  const added = after.filter((rule) => !old.has(canonicalJson(rule)))
  const removed = before.filter((rule) => !made.has(canonicalJson(rule)))
  const now = keysOf(rules)
  const left = rules.filter((rule) => !added.some((one) => canonicalJson(one) === canonicalJson(rule)))
  const isChanged =
    added.some((rule) => !now.has(canonicalJson(rule))) ||
    removed.some((rule) => left.some((one) => hasConditions(one, rule)))
  if (isChanged || added.length + removed.length === 0)
    throw new CountersignError('CS_STALE', `the rules of change ${seq} were changed since; set them directly`)
  return { rules: [...removed.reduce(withRule, left), ...paused], what: `undo of ${seq} (${what})`, undoes: seq }
}

function keysOf(rules: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(rules.map((rule) => canonicalJson(rule)))
}

function nothing(message: string): CountersignError {
  return new CountersignError('CS_USAGE', message)
}
