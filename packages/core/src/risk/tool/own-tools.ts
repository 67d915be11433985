import { decomposeUnproven } from '../../command/decompose.ts'
import { type OwnRow, type OwnRows, type ToolRow, toolRows } from '../../knowledge/own-knowledge.ts'
import { isShowable } from '../arguments/displayable-name.ts'
import { rateCommand } from '../command/rate-command.ts'
import { locate, type RiskCircumstances } from '../path/located-path.ts'
import { ratePath } from '../path/rate-path.ts'
import { ownFinding, staysBeside } from '../programs/own-programs.ts'
import { type Extent, finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rating-input.ts'
import { toolExtent } from './magnitude.ts'

/** The own rows that rate a call. Rows replace only what nobody described; for a nested call they only raise. */
function rowsOf({ tool, descriptor }: RatedCall, now: RiskCircumstances, depth: number): OwnRows<ToolRow> | undefined {
  const rows = toolRows(now.knowledge, tool)
  if (rows === undefined || rows.replacing.length === 0) return rows
  if (descriptor.source === 'own' && depth === 0) return rows
  return { replacing: [], raising: [...rows.replacing, ...rows.raising] }
}

/**
 * Rates a call by people's own rows for its tool. A row that replaces takes the place of what the tool's name suggests;
 * what its arguments contain, and what is critical, stays.
 */
export function withOwnRows(
  found: readonly RiskFinding[],
  call: RatedCall,
  now: RiskCircumstances,
  depth: number,
): RiskFinding[] {
  const rows = rowsOf(call, now, depth)
  if (rows === undefined) return [...found]
  const kept = rows.replacing.length === 0 ? found : found.filter((one) => staysBeside(one) || !isByName(one))
  return [
    ...rows.replacing.map((one) => rateByRow(one, call, true)),
    ...kept,
    ...rows.raising.flatMap((one) => [rateByRow(one, call, false), ...rateArguments(one.row, call, now)]),
  ]
}

/** Whether a finding says what the tool's name, or nothing, suggests. */
function isByName({ rule }: RiskFinding): boolean {
  return rule.startsWith('tool.')
}

function rateByRow(own: OwnRow<ToolRow>, call: RatedCall, isTrusted: boolean): RiskFinding {
  const { level, effect, undo, target } = own.row
  const named = target === undefined ? undefined : call.args[target]
  const usual = toolExtent(call.args, false)
  const extent: Extent = typeof named === 'string' && isShowable(named) ? { ...usual, target: named } : usual
  return ownFinding(finding(level, 'own.tool', effect, undo, extent), own, isTrusted)
}

/** A row that only raises leaves the description alone; what it names as path or command is rated all the same. */
function rateArguments(
  { path = [], command }: ToolRow,
  call: RatedCall,
  now: RiskCircumstances,
): readonly RiskFinding[] {
  const paths = path.flatMap((name) => {
    const given = call.args[name]
    if (typeof given !== 'string' || given === '') return []
    const use = call.descriptor.kind === 'read' ? 'read' : call.descriptor.kind === 'delete' ? 'delete' : 'write'
    const located = locate(
      { given, lookup: given, glob: false, use, soft: false, manner: undefined },
      { cwd: '' },
      call.cwd,
      now,
    )
    return ratePath(located, now.places) ?? []
  })
  const line = command === undefined ? undefined : call.args[command]
  return typeof line === 'string' ? [...paths, ...rateCommand(decomposeUnproven(line), call.cwd, now).findings] : paths
}
