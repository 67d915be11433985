import type { Conditions } from '../model/rule.ts'
import { conditions } from './conditions.ts'

/** The conditions of a stored grant, or null if they are not valid. */
export function parseGrantPattern(value: unknown): Conditions | null {
  const parsed = conditions.safeParse(value)
  return parsed.success ? parsed.data : null
}
