/** How a condition comes out. Numbers, so that `all` is the least of them and `any` the greatest. */
export type Answer = 0 | 1 | 2

export const NO = 0
/** It could not be told: such a rule tightens what it can and loosens nothing. */
export const UNKNOWN = 1
export const YES = 2

export function opposite(answer: Answer): Answer {
  return answer === YES ? NO : answer === NO ? YES : UNKNOWN
}

/** How conditions are read: doubt goes against the call, so it depends on which way a match would move it. */
export interface Reading {
  /** A deny or a floor: matching can only tighten. */
  readonly tightens: boolean
  /** Inside an odd number of `not` and `unless`. */
  readonly negated: boolean
}

/** True when a match of this condition can only tighten: then it is read widely, else narrowly. */
export function isWide(reading: Reading): boolean {
  return reading.tightens !== reading.negated
}

/** The reading inside a `not` or an `unless`. */
export function inverted(reading: Reading): Reading {
  return { tightens: reading.tightens, negated: !reading.negated }
}
