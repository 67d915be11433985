import { countedWords } from '../../preview/targets/target-lookup.ts'
import type { RulesProposal } from './proposal.ts'

const MOST_SHOWN = 5

/** What a change of the rules would do to past calls, its tests, and the rules it cannot lower: one line each. */
export function proposalWords(proposal: RulesProposal): readonly string[] {
  const { change, effects, failing, tests, overruled, act } = proposal
  if (change.act === 'pause')
    return ['every call of every agent is held and all grants are suspended, until you resume']
  const { of, unknown, changed, from } = effects
  const partly = unknown === 0 ? '' : `; ${unknown} could not be judged again`
  const passing =
    tests === 0 ? [] : [`${countedWords(tests, 'test')} of your policy still ${tests === 1 ? 'passes' : 'pass'}`]
  return [
    ...(change.act === 'resume' ? ['calls run again as your policy and your grants allow'] : []),
    `would change ${changed.length} of the last ${countedWords(of, 'call')}${partly}`,
    ...changed
      .slice(0, MOST_SHOWN)
      .map(
        (one) =>
          `  ${one.before} → ${one.after}: ${one.tool} ${one.about}${one.call === from?.call ? ' (this call)' : ''}`,
      ),
    ...(changed.length > MOST_SHOWN ? [`  and ${changed.length - MOST_SHOWN} more`] : []),
    ...(failing.length === 0 ? passing : failing.map((line) => `would fail: ${line}`)),
    ...overruled.map(
      ({ id, layer, file, supervision }) =>
        `${OWNERS[layer]} rule \`${id}\` (${file}) is stricter and wins: ${supervision}`,
    ),
    ...(act.passkey ? ['only a passkey can sign this: some of these calls need one'] : []),
  ]
}

const OWNERS = { managed: 'the organization’s', project: 'the project’s', user: 'your' } as const

/** The changed lines of the policy file. A pause and its end are told in words: their rule teaches nothing. */
export function proposalDiff({ change, diff }: Pick<RulesProposal, 'change' | 'diff'>): readonly string[] {
  if (change.act === 'pause' || change.act === 'resume') return []
  return diff.flatMap(({ lines }) =>
    lines.flatMap(({ kind, text }) => (kind === 'added' ? [`+ ${text}`] : kind === 'removed' ? [`- ${text}`] : [])),
  )
}
