import { AWKS, interpreterOf } from '../../command/code/inline-code.ts'
import { SHELLS } from '../../command/nested/shells.ts'
import type { OwnKnowledge, OwnRow, OwnRows } from '../../knowledge/own-knowledge.ts'
import { type ProgramRow, programRow, type RaterName } from '../../knowledge/programs.ts'
import { shellKnowledge } from '../../knowledge/shell.ts'
import type { RiskFinding } from '../report/finding.ts'

/** Raters of programs that run what they are given. */
const RUNNERS: ReadonlySet<RaterName> = new Set([
  'env',
  'eval',
  'interpreter',
  'privilege',
  'runner',
  'shell',
  'source',
  'wrapper',
])

/** A program that runs other code: only that code tells how risky it is. */
function runsOthers(program: string): boolean {
  const { wrappers, wrapper_aliases } = shellKnowledge()
  if (Object.hasOwn(wrappers, program) || Object.hasOwn(wrapper_aliases, program)) return true
  if (SHELLS.has(program) || AWKS.has(program) || interpreterOf(program) !== null) return true
  const rater = programRow(program)?.rater
  return rater !== undefined && RUNNERS.has(rater)
}

/** The own rows of a program. A row for a shell, an interpreter or a program that runs another one can only raise. */
export function ownRowsOf(program: string, knowledge: OwnKnowledge | undefined): OwnRows<ProgramRow> | undefined {
  const rows = knowledge?.programs.get(program)
  if (rows === undefined || rows.replacing.length === 0 || !runsOthers(program)) return rows
  return { replacing: [], raising: [...rows.replacing, ...rows.raising] }
}

/** A finding of an own row: with its layer, and with its author where nobody trusted them. */
export function ownFinding(
  found: RiskFinding,
  { row, layer }: OwnRow<{ readonly file: string; readonly line: number }>,
  isTrusted: boolean,
): RiskFinding {
  const { file, line } = found.source ?? row
  const text = isTrusted || layer !== 'project' ? found.text : `${found.text}, as this project describes it`
  return { ...found, text, source: { file, line, layer } }
}

/**
 * What applies of the built-in answer beside a row that replaces it. INVARIANT: an own row never lowers what is critical.
 */
export function staysBeside({ level }: RiskFinding): boolean {
  return level === 'critical'
}
