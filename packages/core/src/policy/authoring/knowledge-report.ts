import type { OwnKnowledge } from '../../knowledge/own-knowledge.ts'
import { findHostTool } from '../../knowledge/tools.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { PolicyFile } from '../../ports/policy-files.ts'
import { assessCall } from '../../risk/assess-call.ts'
import { ownRowsOf } from '../../risk/programs/own-programs.ts'
import { RISK_LEVELS, type RiskLevel } from '../../risk/report/level.ts'
import { onlyTightens } from '../load/layer-rules.ts'
import { type KnowledgeOfFile, mergeKnowledge } from '../load/own-knowledge.ts'
import { type PolicyProblem, quote, sortProblems } from '../model/policy-problem.ts'
import { type KnowledgeExample, type LoadedKnowledge, loadKnowledgeFile } from '../parse/knowledge-file.ts'
import { toolOf } from './knowledge-rows.ts'
import { TEST_PLACES } from './test-places.ts'

/** The knowledge of some files, and what is wrong with them. */
export interface ReadKnowledge {
  readonly knowledge: OwnKnowledge | undefined
  readonly examples: readonly KnowledgeExample[]
  /** Every row, in short. */
  readonly rows: readonly RowSummary[]
  /** The files are invalid. */
  readonly problems: readonly PolicyProblem[]
  /** The files load, but this is probably a mistake. */
  readonly warnings: readonly PolicyProblem[]
}

/** The names of a row, every level it can give, and where it is written. */
export interface RowSummary {
  readonly names: readonly string[]
  readonly levels: readonly RiskLevel[]
  /** `file:line` */
  readonly source: string
}

/** Reads the knowledge files among these, as `loadPolicy` does, and also reports likely mistakes. */
export function readKnowledge(files: readonly PolicyFile[]): ReadKnowledge {
  const own = files.filter(({ form }) => form === 'knowledge')
  const loaded: KnowledgeOfFile[] = []
  const problems: PolicyProblem[] = []
  for (const file of own) {
    const { name, unreadable } = file
    if (unreadable !== undefined) {
      problems.push({ code: 'CS_POLICY_READ', file: name, line: 1, column: 1, message: unreadable })
      continue
    }
    const content = loadKnowledgeFile(file)
    if (content.kind === 'loaded') loaded.push({ file, content })
    else problems.push(...content.problems)
  }
  return {
    knowledge: mergeKnowledge(loaded).knowledge,
    examples: loaded.flatMap(({ content }) => content.examples),
    rows: loaded.flatMap(({ content }) => summariesOf(content)),
    problems: sortProblems(problems),
    warnings: sortProblems([...loaded.flatMap(onlyRaising), ...repeatedRows(loaded)]),
  }
}

function summariesOf({ programs, tools }: LoadedKnowledge): readonly RowSummary[] {
  const summary = (names: readonly string[], { file, line }: Placed, levels: readonly (RiskLevel | undefined)[]) => ({
    names,
    levels: RISK_LEVELS.filter((level) => levels.includes(level)),
    source: `${file}:${line}`,
  })
  return [
    ...programs.map(({ names, row }) =>
      summary(names, row, [
        row.level,
        row.no_verb?.level,
        row.unlisted,
        ...[...(row.verbs ?? []), ...(row.flags ?? [])].map(({ level }) => level),
      ]),
    ),
    ...tools.map(({ names, row }) => summary(names, row, [row.level])),
  ]
}

/** Rows that replace nothing, because only the code that is run, or the tool's own description, tells the risk. */
function onlyRaising({ file, content }: KnowledgeOfFile): readonly PolicyProblem[] {
  if (onlyTightens(file)) return []
  const { knowledge } = mergeKnowledge([{ file, content }])
  const programs = content.programs.flatMap(({ names, row }) =>
    names
      .filter((name) => ownRowsOf(name, knowledge)?.replacing.length === 0)
      .map((name) => warn(row, `${quote(name)} runs other programs or code, so this row can only raise its level`)),
  )
  const tools = content.tools.flatMap(({ names, row }) =>
    names
      .filter((name) => findHostTool(name) !== undefined)
      .map((name) => warn(row, `${quote(name)} is a known tool, so this row can only raise its level`)),
  )
  return [...programs, ...tools]
}

/** Of two rows of one layer for the same name, both apply. */
function repeatedRows(loaded: readonly KnowledgeOfFile[]): readonly PolicyProblem[] {
  const seen = new Map<string, string>()
  return loaded.flatMap(({ file, content }) =>
    [...content.programs, ...content.tools].flatMap(({ names, row }) =>
      names.flatMap((name): readonly PolicyProblem[] => {
        const key = `${file.layer} ${name}`
        const other = seen.get(key)
        seen.set(key, `${row.file}:${row.line}`)
        return other === undefined || other.startsWith(`${row.file}:`)
          ? []
          : [warn(row, `${quote(name)} also has a row in ${other}; both apply, and the higher level counts`)]
      }),
    ),
  )
}

interface Placed {
  readonly file: string
  readonly line: number
}

function warn({ file, line }: Placed, message: string): PolicyProblem {
  return { file, line, column: 1, message }
}

/** An example, and the level it got instead; null if it got the expected one. */
export interface TestedExample {
  readonly example: KnowledgeExample
  readonly found: RiskLevel | null
}

/** Rates every example with the rows of its own layer, without looking at files. */
export function testKnowledge(
  { knowledge, examples }: ReadKnowledge,
  crypto: Pick<Crypto, 'sha256'>,
): readonly TestedExample[] {
  return examples.map((example) => {
    const { level } = assessCall(callOf(example.of), TEST_PLACES, crypto, knowledge).risk
    return { example, found: level === example.level ? null : level }
  })
}

function callOf(of: KnowledgeExample['of']): Parameters<typeof assessCall>[0] {
  if (of.kind === 'command') {
    const { command } = of
    return { tool: 'bash', source: 'builtin', args: { command }, description: { kind: 'execute', command } }
  }
  const { server, name } = toolOf(of.name)
  return server === null
    ? { tool: name, source: 'custom', args: of.args }
    : { tool: { name, server }, source: 'mcp', args: of.args }
}
