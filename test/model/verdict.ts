import type { Bounds } from '../../packages/core/src/policy/model/containment.ts'
import type { Rule } from '../../packages/core/src/policy/model/rule.ts'
import type { Supervision } from '../../packages/core/src/policy/model/supervision.ts'

/** What the reference model answers for a call. */
export interface ModelVerdict {
  supervision: Supervision
  rule: string
  contributors: string[]
  checks: string[]
  settings: PlainSettings
  timeoutMs: number
  grant: string | null
  limit: string | null
  contain: Bounds | null
}

const STRICT: Supervision[] = ['automatic', 'notify', 'confirm', 'manual', 'deny']
export const strict = (s: Supervision) => STRICT.indexOf(s)
export const max = (all: Supervision[]) =>
  all.reduce((a, b) => (strict(b) > strict(a) ? b : a), 'automatic' as Supervision)

export type PlainSettings = Record<string, Record<string, unknown>>

export interface Contribution {
  name: string
  rule: Rule | null
}
export interface Judged {
  supervision: Supervision
  decider: string
  voices: Contribution[]
  granted: boolean
  named: string | null
}
