import type { Json } from '../../call/json/json.ts'
import { OWN_RULE, type ToolRow } from '../../knowledge/own-knowledge.ts'
import { type OwnFile, ownFile } from '../../knowledge/own-schema.ts'
import { compileProgram, rowConflicts } from '../../knowledge/program-rows.ts'
import type { ProgramRow } from '../../knowledge/programs.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import type { PolicySource } from '../model/rule.ts'
import { type RefusedFile, readDocument } from './document.ts'
import type { PlacedProblem } from './schema-problems.ts'
import type { TreePath } from './yaml-tree.ts'

/** A command or a call with the level that its author expects. */
export interface KnowledgeExample {
  readonly file: string
  readonly line: number
  readonly level: RiskLevel
  /** A command line, or the arguments of a tool. */
  readonly of:
    | { readonly kind: 'command'; readonly command: string }
    | { readonly kind: 'tool'; readonly name: string; readonly args: Readonly<Record<string, Json>> }
}

/** A row and its names, as written: a tool is `name` or `server/name`. */
export interface NamedRow<Row> {
  readonly names: readonly string[]
  readonly row: Row
}

/** A valid knowledge file. */
export interface LoadedKnowledge {
  readonly kind: 'loaded'
  readonly programs: readonly NamedRow<ProgramRow>[]
  readonly tools: readonly NamedRow<ToolRow>[]
  readonly examples: readonly KnowledgeExample[]
}

/** Loads one file of a `knowledge` folder completely, or returns every problem with its line and column. */
export function loadKnowledgeFile(file: Pick<PolicySource, 'name' | 'text'>): LoadedKnowledge | RefusedFile {
  const read = readDocument(file, ownFile, conflicts)
  if (read.kind === 'refused') return read
  const lineOf = (path: TreePath): number => read.at(read.tree.offsetOf(path)).line
  const { programs = [], tools = [] } = read.data
  return {
    kind: 'loaded',
    programs: programs.map((row, at) => ({
      names: row.names,
      row: {
        ...(compileProgram(row, file.name, (keys) => lineOf(['programs', at, ...keys])) as ProgramRow),
        rule: OWN_RULE,
      },
    })),
    tools: tools.map(({ names, about: _about, examples: _examples, ...row }, at) => ({
      names,
      row: { file: file.name, line: lineOf(['tools', at, 'names']), ...row },
    })),
    examples: examplesOf(read.data, file.name, lineOf),
  }
}

function examplesOf({ programs = [], tools = [] }: OwnFile, file: string, lineOf: (path: TreePath) => number) {
  return [
    ...programs.flatMap(({ examples = [] }, at) =>
      examples.map(({ command, level }, index): KnowledgeExample => {
        const line = lineOf(['programs', at, 'examples', index])
        return { file, line, level, of: { kind: 'command', command } }
      }),
    ),
    ...tools.flatMap(({ names: [name = ''], examples = [] }, at) =>
      examples.map(({ args = {}, level }, index): KnowledgeExample => {
        const line = lineOf(['tools', at, 'examples', index])
        return { file, line, level, of: { kind: 'tool', name, args: args as Readonly<Record<string, Json>> } }
      }),
    ),
  ]
}

/** What the schema can't see: names, verbs and options that are listed twice. */
function conflicts(root: Json): readonly PlacedProblem[] {
  const { data } = ownFile.safeParse(root)
  if (data === undefined) return []
  const { programs = [], tools = [] } = data
  return [
    ...twice(programs, 'programs'),
    ...twice(tools, 'tools'),
    ...programs.flatMap((row, at) =>
      rowConflicts(row).map(
        ({ keys, message }): PlacedProblem => ({ path: ['programs', at, ...keys], at: 'value', message }),
      ),
    ),
  ]
}

function twice(rows: readonly { readonly names: readonly string[] }[], of: string): readonly PlacedProblem[] {
  const seen = new Set<string>()
  return rows.flatMap(({ names }, at) =>
    names.flatMap((name, index): readonly PlacedProblem[] => {
      const isNew = !seen.has(name.toLowerCase())
      seen.add(name.toLowerCase())
      if (isNew) return []
      return [{ path: [of, at, 'names', index], at: 'value', message: `\`${name}\` is listed twice; keep one row` }]
    }),
  )
}
