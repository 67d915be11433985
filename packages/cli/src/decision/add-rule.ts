import {
  type AlwaysOffer,
  CountersignError,
  type Desk,
  type RulesAnswer,
  type RulesProposal,
  type SafeText,
  safeText,
} from '@countersign/core'
import { changeRules, type LocalApprover } from '@countersign/node'

/** The change that the rule of an offer makes. */
export function proposeRule(desk: Desk, call: string, { conditions, contain }: AlwaysOffer): Promise<RulesProposal> {
  return desk.rules().propose({ kind: 'set', conditions, supervision: 'automatic', contain }, call)
}

/** Adds a rule after the approval of its call, and tells what became of it. The approval stands even if this fails. */
export async function addRule(
  desk: Desk,
  answer: RulesAnswer,
  by: { readonly approver: LocalApprover; readonly surface: string },
): Promise<{ readonly isAdded: boolean; readonly words: SafeText }> {
  const { seq, what } = answer.proposal.change
  try {
    await changeRules(desk, answer, by)
    const words = `rule added to your policy: ${what}; \`countersign policy undo ${seq}\` removes it`
    return { isAdded: true, words: safeText(words) }
  } catch (error) {
    const { code, message } =
      error instanceof CountersignError ? error : { code: 'CS_INTERNAL', message: String(error) }
    return { isAdded: false, words: safeText(`approved, but the rule was not added: ${message} [${code}]`) }
  }
}
