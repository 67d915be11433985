import { RISK_LEVELS } from '../../risk/report/level.ts'
import type { Limit, PolicySet } from '../model/rule.ts'
import { supervisionRank } from '../model/supervision.ts'
import { CompiledRule } from './compiled-rule.ts'
import { ToolIndex } from './tool-index.ts'
import { declarationVoice, rowVoice, undescribedVoice, type Voice } from './verdict-contribution.ts'

/** An answer that comes from no rule. */
export interface Answering {
  readonly rank: number
  readonly voice: Voice
}

/** A policy ready to judge: the same rules, found by what a call shows instead of one after the other. */
export interface Policy {
  readonly hash: string
  readonly set: PolicySet
  /** In a fixed order, so that naming the limit that was passed does not depend on the files'. */
  readonly limits: readonly Limit[]
  readonly timeoutMs: number
  readonly index: ToolIndex
  /** What the preset answers where no rule speaks, by rank of risk. */
  readonly row: readonly Answering[]
  readonly undescribed: Answering
  readonly declared: Answering
  readonly fromServer: Answering
}

/** Compiles loaded policy. Cheap: conditions, patterns and expressions are compiled when a call first meets them. */
export function compilePolicy(set: PolicySet): Policy {
  const { row } = set
  const confirm = supervisionRank('confirm')
  return {
    hash: set.hash,
    set,
    limits: [...set.limits].sort(compareLimits),
    timeoutMs: set.timeoutMs,
    index: new ToolIndex(set.rules.map((rule) => new CompiledRule(rule))),
    row: RISK_LEVELS.map((level) => ({ rank: supervisionRank(row.byRisk[level]), voice: rowVoice(row, level) })),
    undescribed: { rank: supervisionRank(row.undescribed), voice: undescribedVoice(row) },
    declared: { rank: confirm, voice: declarationVoice('declared') },
    fromServer: { rank: confirm, voice: declarationVoice('mcp') },
  }
}

function compareLimits(a: Limit, b: Limit): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  if (a.most !== b.most) return a.most - b.most
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || (a.windowMs ?? 0) - (b.windowMs ?? 0)
}
