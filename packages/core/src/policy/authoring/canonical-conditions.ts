import type { Conditions } from '../model/rule.ts'

/** Conditions as one text: equal for conditions that differ only in the order of keys and of list items. */
export function canonicalConditions(when: Conditions, unless: Conditions | null): string {
  return JSON.stringify([sorted(when), sorted(unless)])
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item) => sorted(item)).sort((a, b) => compare(JSON.stringify(a), JSON.stringify(b)))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      // The order inside a literal value is part of it.
      .map(([key, inner]): [string, unknown] => [key, key === 'equals' ? inner : sorted(inner)])
      .sort(([a], [b]) => compare(a, b)),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
