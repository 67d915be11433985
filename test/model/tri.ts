import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import type { CommandPart } from '../../packages/core/src/command/model/decomposition.ts'
import type { Circumstances } from '../../packages/core/src/policy/model/circumstances.ts'
import type { RiskLevel } from '../../packages/core/src/risk/report/level.ts'
import type { HostUse, PathUse, RiskReport } from '../../packages/core/src/risk/report/report.ts'

/** The conditions of the policy language in the reference model: yes, no or unknown. */
export type Tri = 'no' | 'unknown' | 'yes'
export interface Unit {
  part: CommandPart | null
  path: PathUse | null
  hosts: readonly HostUse[]
  level: RiskLevel
  rowLevel: RiskLevel
  contained: boolean
  opaque: boolean
}
export interface World {
  call: FrozenCall
  risk: RiskReport
  now: Circumstances
}
/** Whether a match can only tighten: a deny or a floor, not under an odd number of `not` and `unless`. */
export interface Side {
  tightens: boolean
  negated: boolean
}

export const LEVELS = ['none', 'low', 'medium', 'high', 'critical']
const TRI: Tri[] = ['no', 'unknown', 'yes']
export const every = (all: Tri[]): Tri => TRI[Math.min(2, ...all.map((t) => TRI.indexOf(t)))] ?? 'no'
export const some = (all: Tri[]): Tri => TRI[Math.max(0, ...all.map((t) => TRI.indexOf(t)))] ?? 'no'
export const opposite = (t: Tri): Tri => (t === 'yes' ? 'no' : t === 'no' ? 'yes' : 'unknown')
export const tri = (holds: boolean): Tri => (holds ? 'yes' : 'no')

export const label = (call: FrozenCall) =>
  call.tool.server === null ? call.tool.name : `${call.tool.server}/${call.tool.name}`
export const nameMatches = (pattern: string, name: string) => textMatches(pattern.toLowerCase(), name.toLowerCase())

/** `*` matches any run of characters. */
export function textMatches(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*')
    return textMatches(pattern.slice(1), text) || (text !== '' && textMatches(pattern, text.slice(1)))
  return pattern[0] === text[0] && textMatches(pattern.slice(1), text.slice(1))
}
