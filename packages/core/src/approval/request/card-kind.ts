import { isArray } from '../../call/json/canonical.ts'
import { isJsonObject, type Json } from '../../call/json/json.ts'
import type { OpenedView } from './verified-view.ts'

/** The two choices of a card, in words. */
export interface Verbs {
  readonly approve: string
  readonly reject: string
}

const ANSWER: Verbs = { approve: 'Proceed', reject: 'Cancel' }
const UNDO: Verbs = { approve: 'Undo', reject: 'Cancel' }
/** The words of most cards. */
export const USUAL_VERBS: Verbs = { approve: 'Approve', reject: 'Reject' }

/** The words of a card's two choices. */
export function cardVerbs(opened: OpenedView): Verbs {
  if (permissionQuestion(opened) !== null) return ANSWER
  return isUndo(opened) ? UNDO : USUAL_VERBS
}

/** Whether a card can only be answered: it cannot be edited or granted. */
export function isAnswerOnly(opened: OpenedView): boolean {
  return cardVerbs(opened) !== USUAL_VERBS
}

function isUndo({ body, view }: OpenedView): boolean {
  const { tool, args } = body.call
  return tool.server === null && tool.name === 'undo' && view.preview.kind === 'own' && 'plan' in args
}

/** An agent's request for permission, as a card shows it. */
export interface PermissionQuestion {
  /** The agent's last question in its own words; null if it asked none. */
  readonly asks: string | null
  /** Without a question: the agent's last sentence; null if it is too long. */
  readonly announces: string | null
  /** All of the agent's words. */
  readonly said: string
  /** The other arguments, one by one. */
  readonly facts: readonly (readonly [name: string, value: string])[]
}

const FACTS: ReadonlySet<string> = new Set(['action_type', 'scope', 'risk_level', 'said'])

/**
 * The question of the loop's own `proceed`, which has no effect and which no server's tool can be; null for every other
 * call. INVARIANT: L5, a call with any further argument is drawn like every other call.
 */
export function permissionQuestion({ body, view }: OpenedView): PermissionQuestion | null {
  const { tool, args } = body.call
  if (tool.server !== null || tool.name !== 'proceed' || view.confirmationMessage === null) return null
  const { said, scope = {}, ...others } = args
  if (typeof said !== 'string' || !isJsonObject(scope) || view.preview.kind !== 'json') return null
  if (!Object.keys(args).every((name) => FACTS.has(name))) return null
  const facts = [...Object.entries(others), ...Object.entries(scope)].filter(([, value]) => !isEmpty(value))
  return {
    ...headlineOf(said),
    said,
    facts: facts.map(([name, value]) => [name.replaceAll('_', ' '), wordsOf(value)]),
  }
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (isArray(value) && value.length === 0)
}

function wordsOf(value: Json): string {
  if (typeof value === 'string') return value
  const isPlain = isArray(value) && value.every((one) => typeof one === 'string')
  return isPlain ? value.join(', ') : JSON.stringify(value)
}

const LONGEST_QUESTION = 300

/** A question of so few words needs the sentence before it: `Should I proceed?` */
const FEW_WORDS = 4

/** The last question, or else the last sentence, with the one before it where that is needed to understand it. */
function headlineOf(said: string): Pick<PermissionQuestion, 'asks' | 'announces'> {
  const sentences = said.split(/(?<=[.?!…])\s+|\n+/).filter((sentence) => sentence.trim() !== '')
  const at = sentences.findLastIndex((sentence) => /[?？]["”’)*_`]*\s*$/.test(sentence))
  const line = (index: number): string | null => {
    const last = sentences[index]?.trim()
    if (last === undefined) return null
    const before = last.split(/\s+/).length > FEW_WORDS ? undefined : sentences[index - 1]?.trim()
    return [`${before ?? ''} ${last}`.trim(), last].find((text) => text.length <= LONGEST_QUESTION) ?? null
  }
  return at === -1 ? { asks: null, announces: line(sentences.length - 1) } : { asks: line(at), announces: null }
}

const DRAWN: ReadonlySet<string> = new Set(['restore', 'remove'])

/** An id needs no quotes to be told from the next one. */
const PLAIN_ID = /^[\w-]{1,128}$/

const ID_SHOWN = 8

/**
 * The calls that an undo takes back, as a card shows them without JSON; empty for every other call. INVARIANT: L5, the details
 * show every id whole, and anything but plain ids is drawn like the argument of every other call.
 */
export function undoFacts(opened: OpenedView): readonly (readonly [name: string, label: string, ids: string])[] {
  const { calls = null } = opened.body.call.args
  if (!isUndo(opened)) return []
  const ids = isArray(calls) ? calls.filter((one) => typeof one === 'string' && PLAIN_ID.test(one)) : []
  if (!isArray(calls) || ids.length === 0 || ids.length < calls.length) return []
  const names = ids.map((id) => String(id).slice(0, ID_SHOWN)).join(', ')
  return [['calls', 'undoes', `${ids.length === 1 ? 'call' : `${ids.length} calls:`} ${names}`]]
}

/** The digest of what the preview draws, which is checked before the undo. */
function isPlan(name: string, value: Json): boolean {
  return name === 'plan' && typeof value === 'string' && PLAIN_ID.test(value)
}

/**
 * Whether an argument of an undo is already on its card: one of `undoFacts`, or a list of paths, each of them a file that
 * the preview draws. INVARIANT: L5, no other argument is ever hidden by a tool's own preview.
 */
export function isDrawnByUndo(opened: OpenedView, name: string, value: Json): boolean {
  const { preview } = opened.view
  if (undoFacts(opened).some(([fact]) => fact === name)) return true
  if (isUndo(opened) && isPlan(name, value)) return true
  if (!DRAWN.has(name) || !isUndo(opened) || preview.kind !== 'own' || !isArray(value)) return false
  const drawn = new Set(preview.parts.flatMap((part) => (part.kind === 'diff' ? [part.path] : [])))
  return value.every((one) => typeof one === 'string' && drawn.has(one))
}
