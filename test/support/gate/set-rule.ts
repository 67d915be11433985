import type { RulesEdit } from '@countersign/core'
import { changeRules } from '@countersign/node'
import type { World } from './world.ts'

/** Proposes a change of the policy and signs it as the world's approver. */
export async function setRule({ desk, approver }: World, edit: RulesEdit): Promise<void> {
  const proposal = await desk.rules().propose(edit)
  await changeRules(desk, { proposal, code: proposal.code }, { approver, surface: 'test' })
}
