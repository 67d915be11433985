import { countWords, type SafeText, safeText } from '@countersign/core'
import type { UndoPlan, UndoStep } from '@countersign/node'
import { timeText } from '@countersign/terminal/card'
import { callName, type NamedCall } from '../arguments/call-name.ts'

const DOES = { change: 'change back', 'bring-back': 'bring back', remove: 'remove' } as const
const SINCE = { same: '', changed: ', changed again since', unknown: ', perhaps changed since' } as const
const SHOWN = 200

/** One thing undoing does, in words: `change back /srv/app/a.txt`. */
export function stepWords({ does, path, type, since }: UndoStep): string {
  const what = type === 'file' ? '' : ` the ${type}`
  return `${DOES[does]}${what} ${path}${SINCE[since]}`
}

/** What undoing a call would do, for a person to read before it is asked for. */
export function planLines(plan: UndoPlan, call: NamedCall): readonly SafeText[] {
  const heading = `undoing ${callName(call)}, as it was at ${timeText(plan.madeAt)}:`
  const steps = plan.steps.slice(0, SHOWN).map((step) => `  ${stepWords(step)}`)
  const more = plan.steps.length - steps.length
  const left = plan.left.slice(0, SHOWN).map((path) => `  leave ${path}, made later by something else`)
  return [heading, ...steps, ...(more > 0 ? [`  and ${countWords(more, 'more step')}`] : []), ...left].map(safeText)
}
