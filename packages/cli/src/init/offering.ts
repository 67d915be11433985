import type { AgentPlan, PlanOptions } from '@countersign/hosts'
import type { Home } from '@countersign/node'
import type { InitFlags } from '../agents/init-flags.ts'
import type { Questions } from './questions.ts'

/** What the offers that follow the settings depend on. */
export interface Offering {
  /** The agents that are behind the gate now. */
  readonly gated: readonly AgentPlan[]
  readonly flags: InitFlags
  readonly options: PlanOptions
  /** Null if nobody is asked. */
  readonly questions: Questions | null
  readonly home: Home
}
