import {
  type BatchPlace,
  batchPlace,
  coverSecrets,
  type HeldCallView,
  type HeldSummary,
  isJsonObject,
  type Json,
  maskJson,
  type QueueFacts,
  toolLabel,
} from '@countersign/core'
import { verifyView } from './verified-view.ts'

/** A held call as a page has it: the full view, or a summary for large calls and long lists. */
export type HeldCall = HeldCallView | HeldSummary

/** INVARIANT: L5, only a full view can be shown, verified and signed. */
export function isFull(call: HeldCall): call is HeldCallView {
  return 'request' in call
}

/** The facts of a held call that a list shows. */
export type HeldFacts = Pick<HeldSummary, 'tool' | 'agent' | 'cwd' | 'supervision' | 'passkey' | 'rule'>

/** Facts of a held call, read from the signed bytes of a full view; null if they fail verification. */
export function heldFacts(call: HeldCall): HeldFacts | null {
  if (!isFull(call)) return call
  const held = verifyView(call)
  if (held.kind === 'mismatch') return null
  const { body } = held.opened
  return {
    tool: toolLabel(body.call.tool),
    agent: body.call.agent,
    cwd: body.call.cwd,
    supervision: body.supervision,
    passkey: body.passkey === true,
    rule: call.verdict.rule,
  }
}

const places = new WeakMap<HeldCall, BatchPlace | null>()

/** The batch a held call belongs to, read from the signed bytes of a full view. */
export function batchPlaceOfCall(call: HeldCall): BatchPlace | null {
  if (!isFull(call)) return call.batch
  const known = places.get(call)
  if (known !== undefined) return known
  const held = verifyView(call)
  const place = held.kind === 'mismatch' ? null : batchPlace(held.opened)
  places.set(call, place)
  return place
}

const effects = new WeakMap<HeldCall, string>()
const briefs = new WeakMap<HeldCall, string>()
const LONGEST = 240

/** The effect of a call for a list, with secrets masked and truncated to a few lines. */
export function maskedEffect(view: HeldCall): string {
  return once(effects, view, () => coverSecrets(view.effect))
}

/** The arguments of a call, for a list, if its effect names only the tool. */
export function maskedArguments(view: HeldCall): string {
  return once(briefs, view, () => {
    if (!isFull(view)) return ''
    const { preview } = view
    if (preview.kind !== 'arguments' && preview.kind !== 'json') return ''
    const given: readonly (readonly [string, Json | undefined])[] =
      preview.kind === 'arguments'
        ? preview.fields.map(({ name, value }) => [name, value])
        : Object.entries(isJsonObject(preview.value) ? preview.value : {})
    // Skips large values: masking them here would be slow, and the card shows them.
    const small = given.flatMap(([name, value]) => (isSmall(value) ? [[name, value] as const] : []))
    const { value: masked } = maskJson(Object.fromEntries(small))
    const words = Object.entries(isJsonObject(masked) ? masked : {}).map(([name, value]) => ({
      // Strings tell more than numbers and flags.
      rank: typeof value === 'string' ? 0 : 1,
      text: `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`.slice(0, LONGEST),
    }))
    return words
      .toSorted((one, other) => one.rank - other.rank)
      .slice(0, 8)
      .map(({ text }) => text)
      .join(' · ')
  })
}

function isSmall(value: Json | undefined): value is Json {
  return value !== undefined && JSON.stringify(value).length <= 2_000
}

function once(known: WeakMap<HeldCall, string>, view: HeldCall, make: () => string): string {
  const before = known.get(view)
  if (before !== undefined) return before
  const made = make()
  const text = made.length > LONGEST ? `${made.slice(0, LONGEST).toWellFormed()}…` : made
  known.set(view, text)
  return text
}

const deadlines = new WeakMap<HeldCallView, number>()

/** The deadline of a call, read from the signed bytes; 0 if they cannot be parsed. */
export function deadlineOf(view: HeldCall): number {
  if (!isFull(view)) return view.expiresAt
  const known = deadlines.get(view)
  if (known !== undefined) return known
  const at = readDeadline(view.request)
  deadlines.set(view, at)
  return at
}

function readDeadline(request: string): number {
  try {
    const at = (JSON.parse(request) as { readonly expiresAt?: unknown }).expiresAt
    return typeof at === 'number' ? at : 0
  } catch {
    return 0
  }
}

/** The facts by which the inbox orders and filters a held call, read from the signed bytes of a full view. */
export function heldQueueFacts(call: HeldCall): QueueFacts {
  const facts = heldFacts(call)
  return {
    risk: call.risk.level,
    expiresAt: deadlineOf(call),
    agent: facts?.agent ?? [],
    tool: facts?.tool ?? 'invalid request',
    cwd: facts?.cwd ?? '',
    effect: maskedEffect(call),
  }
}
