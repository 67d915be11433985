import { countedWords } from '../../preview/targets/target-lookup.ts'
import type { RulesProposal } from './proposal.ts'

const MOST_SHOWN = 5

/** What a change of the rules would do to past calls, its tests, and the rules it cannot lower: one line each. */
export function proposalWords({ effects, failing, tests, overruled, act }: RulesProposal): readonly string[] {
  const { of, unknown, changed } = effects
  const partly = unknown === 0 ? '' : `; ${unknown} could not be judged again`
  const passing =
    tests === 0 ? [] : [`${countedWords(tests, 'test')} of your policy still ${tests === 1 ? 'passes' : 'pass'}`]
  return [
    `would change ${changed.length} of the last ${countedWords(of, 'call')}${partly}`,
    ...changed.slice(0, MOST_SHOWN).map((one) => `  ${one.before} → ${one.after}: ${one.tool} ${one.about}`),
    ...(changed.length > MOST_SHOWN ? [`  and ${changed.length - MOST_SHOWN} more`] : []),
    ...(failing.length === 0 ? passing : failing.map((line) => `would fail: ${line}`)),
    ...overruled.map(
      ({ id, layer, file, supervision }) =>
        `the ${layer === 'managed' ? 'organization' : 'project'}’s rule \`${id}\` (${file}) is stricter and wins: ${supervision}`,
    ),
    ...(act.passkey ? ['only a passkey can sign this: some of these calls need one'] : []),
  ]
}

/** The changed lines of the policy file. */
export function proposalDiff({ diff }: Pick<RulesProposal, 'diff'>): readonly string[] {
  return diff.flatMap(({ lines }) =>
    lines.flatMap(({ kind, text }) => (kind === 'added' ? [`+ ${text}`] : kind === 'removed' ? [`- ${text}`] : [])),
  )
}
