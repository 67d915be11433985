import type * as z from 'zod'
import type { Json } from '../../call/json/json.ts'
import { type PolicyProblem, positionsIn, sortProblems } from '../model/policy-problem.ts'
import type { PolicySource } from '../model/rule.ts'
import { issueProblems, type PlacedProblem } from './schema-problems.ts'
import { readYaml, type YamlTree } from './yaml-tree.ts'

/** INVARIANT: L3, a file with any problem contributes nothing, and nothing of it is dropped silently. */
export interface RefusedFile {
  readonly kind: 'refused'
  readonly problems: readonly PolicyProblem[]
}

export interface DocumentPlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A file that matches its schema, with the place of everything in it. */
interface ReadDocument<T> {
  readonly kind: 'read'
  readonly data: T
  readonly tree: YamlTree
  readonly at: (offset: number) => DocumentPlace
}

const MOST_PROBLEMS = 100
const CODES = { 'too-large': 'CS_POLICY_TOO_LARGE', syntax: 'CS_POLICY_SYNTAX', invalid: 'CS_POLICY_INVALID' } as const

/** Reads one YAML file by its schema, or returns every problem with its line and column. */
export function readDocument<T>(
  file: Pick<PolicySource, 'name' | 'text'>,
  schema: z.ZodType<T>,
  moreProblems: (root: Json) => readonly PlacedProblem[],
): ReadDocument<T> | RefusedFile {
  const text = file.text.startsWith('\uFEFF') ? file.text.slice(1) : file.text
  const position = positionsIn(text)
  const at = (offset: number) => ({ file: file.name, ...position(offset) })
  const read = readYaml(text)
  const early = read.problems
    .slice(0, MOST_PROBLEMS)
    .map(({ kind, offset, message }) => ({ code: CODES[kind], ...at(offset), message }))
  if (read.kind === 'refused') return refused(early)
  const { tree } = read
  const checked = schema.safeParse(tree.value)
  const issues = checked.success ? [] : checked.error.issues.slice(0, MOST_PROBLEMS)
  const placed = [...issues.flatMap((issue) => issueProblems(issue, tree.value)), ...moreProblems(tree.value)]
  const late = placed.map(({ path, at: part, ...said }): PolicyProblem => {
    const offset = part === 'key' ? tree.offsetOfKey(path) : tree.offsetOf(path)
    return { code: 'CS_POLICY_INVALID', ...at(offset), ...said }
  })
  const problems = [...early, ...late]
  return checked.success && problems.length === 0 ? { kind: 'read', data: checked.data, tree, at } : refused(problems)
}

function refused(problems: readonly PolicyProblem[]): RefusedFile {
  return { kind: 'refused', problems: sortProblems(problems) }
}
