import type { FrozenCall } from '../../call/call.ts'
import { toolLabel } from '../../call/tool.ts'
import { grantableOptions } from '../../command/programs/global-options.ts'
import { wholeVerb } from '../../command/programs/subcommand.ts'
import type { Grant, OfferedLifetime } from '../../policy/model/grant.ts'
import { supervisionRank } from '../../policy/model/supervision.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Judgement } from '../request/judgement.ts'
import type { GrantOffer } from '../request/view.ts'
import { patternWords } from './grant-words.ts'
import { makeGrant } from './signed-grant.ts'

/**
 * The grants worth offering for a held call: each is tried, and one that would change nothing is left out.
 * INVARIANT: a shell is never granted by tool name, and without a session only exact arguments for minutes are.
 */
export function offerGrants(judgement: Judgement, judgeWith: (grant: Grant) => Verdict): readonly GrantOffer[] {
  const { call, safety } = judgement
  if (supervisionRank(safety.raise) >= supervisionRank('confirm')) return []
  return candidates(judgement).filter((offer) => {
    const trial = makeGrant(offer.scope, { kind: 'uses', uses: 1 }, call, {
      id: 'trial',
      by: 'trial',
      at: judgement.circumstances.now,
    })
    return supervisionRank(judgeWith(trial).supervision) < supervisionRank('confirm')
  })
}

function candidates({ call, risk }: Judgement): readonly GrantOffer[] {
  const minutes: OfferedLifetime = { kind: 'minutes', minutes: 10 }
  const session: readonly OfferedLifetime[] = call.session === null ? [] : [{ kind: 'session' }]
  const label = toolLabel(call.tool)
  const agent = [...call.agent.parents, call.agent.name].join(' › ')
  const exact: GrantOffer = {
    scope: { kind: 'exact', grantKey: call.grantKey },
    lifetimes: call.session === null ? [minutes] : [{ kind: 'uses', uses: 5 }, minutes, ...session],
    words: `\`${label}\` with exactly these arguments`,
  }
  if (call.session === null) return [exact]
  if (risk.parts.length > 0 || call.descriptor.kind === 'execute')
    return [exact, ...commandOffers(call, risk.parts, [minutes, ...session])]
  return [
    exact,
    {
      scope: { kind: 'tool', server: call.tool.server, tool: call.tool.name, definition: call.tool.definition },
      lifetimes: [minutes, ...session],
      // The grant belongs to this agent: a sub-agent of the same session asks for itself.
      words: `everything \`${label}\` does for \`${agent}\` in this session`,
    },
  ]
}

/** Only a program with subcommands makes a pattern narrow enough to agree to: `git add …`, never `curl …`. */
function commandOffers(
  { tool, around }: FrozenCall,
  parts: Judgement['risk']['parts'],
  lifetimes: readonly OfferedLifetime[],
): readonly GrantOffer[] {
  const [only] = parts
  if (only === undefined || parts.length > 1 || around === null) return []
  const { program } = only.command
  const verb = wholeVerb(only.command)
  const options = program === null ? undefined : grantableOptions(program)
  if (program === null || options === undefined || verb === null) return []
  // SECURITY: A11 `git -C other add` and `kubectl --context prod get` are not what was shown.
  const leading = [...options.valued]
  const elsewhere = leading.length === 0 ? {} : { not: { command: { flags: leading } } }
  const when = { tool: [toolLabel(tool)], command: { program: [program], verb: [verb] }, ...elsewhere }
  const scope = { kind: 'pattern', when, around } as const
  return [{ scope, lifetimes, words: patternWords(scope) }]
}
