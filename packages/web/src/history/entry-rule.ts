import { rulePlace } from '@countersign/react'
import { textOf, valueAt } from './entry-value.ts'

const LAYERS = ['managed', 'user', 'project', 'preset', 'builtin'] as const

/** Where the rule stands that an entry of the journal names; null where it names none. */
export function placeOfRule(rule: unknown): string | null {
  const file = textOf(valueAt(rule, 'file'))
  const layer = LAYERS.find((one) => one === valueAt(rule, 'layer'))
  return file === '' ? null : rulePlace({ file, line: Number(valueAt(rule, 'line')), layer: layer ?? 'user' })
}
