import {
  type AlwaysOffer,
  CountersignError,
  type OpenedView,
  proposalDiff,
  proposalWords,
  type RulesAnswer,
  type RulesProposal,
  safeText,
} from '@countersign/core'
import { proposeRule } from '../decision/add-rule.ts'
import type { OpenDesk } from '../decision/desk.ts'
import { STILL_HELD } from '../decision/submit-decision.ts'
import type { Io } from '../terminal/io.ts'
import { sayText } from '../terminal/layout.ts'
import { isTyped } from '../terminal/typed-confirmation.ts'

/** The rule that `--always` adds: of the scope that `--grant` names, else the narrowest one. */
export function alwaysFor({ view }: OpenedView, scope: string | undefined): AlwaysOffer {
  const offered = view.offers.filter(({ always }) => always !== undefined)
  const found = scope === undefined ? offered[0] : offered.find((one) => one.scope.kind === scope.split(':', 1)[0])
  if (found?.always !== undefined) return found.always
  const names = offered.map((one) => `--always --grant ${one.scope.kind}`)
  const hint =
    names.length === 0
      ? 'can’t write a rule as narrow as this call; try `--grant`, or set one with `countersign policy set`'
      : `offered: ${names.join(', ')}`
  throw new CountersignError('CS_GRANT_SCOPE', `this call does not offer that rule; ${hint}`)
}

/** Shows the rule and its effect, and asks on the terminal. Undefined if the person does not agree. */
export async function agreeOnRule(
  offer: AlwaysOffer,
  { view }: OpenedView,
  given: { readonly reason?: string },
  { desk }: OpenDesk,
  io: Io,
): Promise<RulesAnswer | undefined> {
  const proposal = await proposeRule(desk, view.id, offer)
  sayText(io, safeText(`approving also adds this rule to your policy, for ${offer.words}:`))
  for (const line of [...proposalDiff(proposal), ...proposalWords(proposal)]) sayText(io, safeText(line))
  refuseRule(proposal, given)
  const word = proposal.act.typed ? proposal.code : 'yes'
  const question = `To approve and add the rule, type ${word} (anything else cancels): `
  const isAgreed = await isTyped(word, question, io, `no terminal to ask on; ${STILL_HELD}`)
  return isAgreed ? { proposal, code: proposal.code, ...given } : undefined
}

function refuseRule({ act, failing }: RulesProposal, { reason }: { readonly reason?: string }): void {
  if (act.passkey)
    throw new CountersignError('CS_DECISION_PASSKEY', `only a passkey can add this rule; use the inbox, ${STILL_HELD}`)
  if (failing.length > 0)
    throw new CountersignError('CS_POLICY_INVALID', `tests of your policy would fail; ${STILL_HELD}`)
  if (act.typed && !reason?.trim())
    throw new CountersignError(
      'CS_DECISION_CODE',
      `this rule loosens manual supervision; give a \`--reason\`, ${STILL_HELD}`,
    )
}
