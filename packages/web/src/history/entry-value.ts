import { type Json, rulePlace } from '@countersign/react'

/** What stands at a place in an entry of the journal; undefined where nothing does. */
export function valueAt(value: unknown, ...path: readonly string[]): Json | undefined {
  let here = value
  for (const name of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = (here as Readonly<Record<string, unknown>>)[name]
  }
  return here as Json | undefined
}

/** A value that should be a text, or nothing. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** Values that should be texts. */
export function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

const LAYERS = ['managed', 'user', 'project', 'preset', 'builtin'] as const

/** Where the rule stands that an entry of the journal names; null where it names none. */
export function placeOfRule(rule: unknown): string | null {
  const file = textOf(valueAt(rule, 'file'))
  const layer = LAYERS.find((one) => one === valueAt(rule, 'layer'))
  return file === '' ? null : rulePlace({ file, line: Number(valueAt(rule, 'line')), layer: layer ?? 'user' })
}
