import { type BatchPlace, batchPlace, type HeldCallView, type HeldSummary, toolLabel } from '@countersign/core'
import { openHeld } from './verified-view.ts'

/** A held call as a page knows it: whole, or in short until somebody opens it, where it is large or they are many. */
export type HeldCall = HeldCallView | HeldSummary

/** Whether it is all there. INVARIANT: L5, only a whole view can be shown, computed again, and signed for. */
export function isWhole(call: HeldCall): call is HeldCallView {
  return 'request' in call
}

/** What a list shows of a held call. */
export type HeldFacts = Pick<HeldSummary, 'tool' | 'agent' | 'supervision' | 'passkey' | 'rule'>

/** The facts of a held call: of a whole one from the bytes that are signed, and null when they cannot be trusted. */
export function factsOf(call: HeldCall): HeldFacts | null {
  if (!isWhole(call)) return call
  const held = openHeld(call)
  if (held.kind === 'mismatch') return null
  const { body } = held.opened
  return {
    tool: toolLabel(body.call.tool),
    agent: body.call.agent,
    supervision: body.supervision,
    passkey: body.passkey === true,
    rule: call.verdict.rule,
  }
}

const places = new WeakMap<HeldCall, BatchPlace | null>()

/** Which calls a held call may be decided together with: of a whole one read from the bytes that are signed. */
export function batchPlaceOf(call: HeldCall): BatchPlace | null {
  if (!isWhole(call)) return call.batch
  const known = places.get(call)
  if (known !== undefined) return known
  const held = openHeld(call)
  const place = held.kind === 'mismatch' ? null : batchPlace(held.opened)
  places.set(call, place)
  return place
}
