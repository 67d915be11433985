import { type HeldCallView, maskText } from '@countersign/react'

const known = new WeakMap<HeldCallView, string>()
const LONGEST = 240

/** The effect of a call for a list: its secrets covered, and no longer than a few lines. */
export function maskedEffect(view: HeldCallView): string {
  const before = known.get(view)
  if (before !== undefined) return before
  const { value } = maskText(view.effect)
  const text = value.length > LONGEST ? `${value.slice(0, LONGEST).toWellFormed()}…` : value
  known.set(view, text)
  return text
}
