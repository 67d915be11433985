import { RISK_LEVELS } from '../../risk/report/level.ts'
import type { HostUse } from '../../risk/report/report.ts'
import { compileHosts } from '../match/network.ts'
import type { Limit, NamedHosts, PolicySet } from '../model/rule.ts'
import { supervisionRank } from '../model/supervision.ts'
import { CompiledRule } from './compiled-rule.ts'
import { type RaisingRule, raisingRules } from './raising-rule.ts'
import { ToolIndex } from './tool-index.ts'
import {
  type Contribution,
  declarationContribution,
  presetContribution,
  undescribedContribution,
} from './verdict-contribution.ts'

/** The answer where no rule applies. */
export interface DefaultAnswer {
  readonly rank: number
  readonly contribution: Contribution
}

/** A policy ready to judge, with its rules indexed by tool and by literals in their conditions. */
export interface Policy {
  readonly hash: string
  readonly set: PolicySet
  /** Sorted, so that the limit named in a verdict does not depend on the order of files. */
  readonly limits: readonly Limit[]
  readonly timeoutMs: number
  readonly index: ToolIndex
  /** Rules with `raises_to`. */
  readonly raising: readonly RaisingRule[]
  /** The preset's answers, by rank of risk. */
  readonly row: readonly DefaultAnswer[]
  readonly undescribed: DefaultAnswer
  /** Rank of what a host that nobody named requires. */
  readonly contact: number
  /** Whether the files' `network:` names a host for this use. */
  readonly namesHost: (use: HostUse) => boolean
  readonly declared: DefaultAnswer
  readonly fromServer: DefaultAnswer
  readonly guessed: DefaultAnswer
}

/** Compiles a loaded policy. Cheap: conditions and patterns are compiled on first use. */
export function compilePolicy(set: PolicySet): Policy {
  const { row } = set
  const confirm = supervisionRank('confirm')
  return {
    hash: set.hash,
    set,
    limits: [...set.limits].sort(compareLimits),
    timeoutMs: set.timeoutMs,
    index: new ToolIndex(set.rules.map((rule) => new CompiledRule(rule))),
    raising: raisingRules(set.rules),
    row: RISK_LEVELS.map((level) => ({
      rank: supervisionRank(row.byRisk[level]),
      contribution: presetContribution(row, level),
    })),
    undescribed: { rank: supervisionRank(row.undescribed), contribution: undescribedContribution(row) },
    contact: supervisionRank(row.contact ?? 'confirm'),
    namesHost: compileNamed(set.network),
    declared: { rank: confirm, contribution: declarationContribution('declared') },
    fromServer: { rank: confirm, contribution: declarationContribution('mcp') },
    guessed: { rank: confirm, contribution: declarationContribution('guessed') },
  }
}

/** `network:` names hosts for reading only. A managed list only narrows the others. */
function compileNamed(network: NamedHosts | undefined): (use: HostUse) => boolean {
  if (network === undefined || network.named.length === 0) return () => false
  const lists = [network.named, ...network.within].map((patterns) => compileHosts(patterns, false))
  return (use) => use.use === 'read' && lists.every((matches) => matches(use))
}

function compareLimits(a: Limit, b: Limit): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  if (a.most !== b.most) return a.most - b.most
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || (a.windowMs ?? 0) - (b.windowMs ?? 0)
}
