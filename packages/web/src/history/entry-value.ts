import { type Json, rulePlace } from '@countersign/react'

/** The value at a path in a journal entry. */
export function valueAt(value: unknown, ...path: readonly string[]): Json | undefined {
  let here = value
  for (const name of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = (here as Readonly<Record<string, unknown>>)[name]
  }
  return here as Json | undefined
}

/** The value if it is a string, otherwise empty. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The strings in a list. */
export function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

const LAYERS = ['managed', 'user', 'project', 'preset', 'builtin'] as const

/** The location of the rule in a journal entry; null if it has none. */
export function placeOfRule(rule: unknown): string | null {
  const file = textOf(valueAt(rule, 'file'))
  const layer = LAYERS.find((one) => one === valueAt(rule, 'layer'))
  return file === '' ? null : rulePlace({ file, line: Number(valueAt(rule, 'line')), layer: layer ?? 'user' })
}
