import type { DiffHunk } from '../../preview/model/preview.ts'
import type { Overruling } from './overruling.ts'
import type { PastEffects } from './past-effects.ts'
import type { RequiredAct } from './required-act.ts'
import type { RulesChange } from './signed-rules.ts'

/** A change of the rules before anybody signs it: what a person is shown. */
export interface RulesProposal {
  readonly change: RulesChange
  /** The rules after it; these bytes are signed. */
  readonly rules: string
  readonly diff: readonly DiffHunk[]
  /** What it takes: the more, the more it loosens. */
  readonly act: RequiredAct
  /** Typed where `act.typed`. */
  readonly code: string
  /** What it would change in the last 100 calls. */
  readonly effects: PastEffects
  /** Tests of the policy that pass now and would fail, one line each. */
  readonly failing: readonly string[]
  /** How many tests of the policy were run. */
  readonly tests: number
  /** Rules that are stricter, and win. */
  readonly overruled: readonly Overruling[]
}

/** What a person said to a change. The code and a reason only where the change asks for them. */
export interface RulesAnswer {
  readonly proposal: RulesProposal
  readonly code?: string
  readonly reason?: string
}
