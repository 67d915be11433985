import type { RiskLevel } from '../../risk/report/level.ts'
import type { Thresholds } from '../../risk/report/rating-input.ts'
import { type PolicyProblem, positionsIn, sortProblems } from '../model/policy-problem.ts'
import type { BackupRetention, CheckerProgram, Layer, Limit, PolicySource, PresetRow, Rule } from '../model/rule.ts'
import { type PolicyDocument, policyFile, presetFile } from '../schema/policy-document.ts'
import type { PolicyTest } from '../schema/test-case.ts'
import { crossProblems } from './cross-field-problems.ts'
import { issueProblems } from './schema-problems.ts'
import { expandRules } from './shorthand-rules.ts'
import { readYaml, type TreePath, type YamlTree } from './yaml-tree.ts'

/** A valid policy file. Its rules are as written; `loadPolicy` applies the restrictions of its layer. */
export interface LoadedFile {
  readonly kind: 'loaded'
  readonly name: string
  readonly layer: Layer
  readonly preset: { readonly name: string; readonly line: number; readonly column: number } | null
  readonly timeoutMs: number | null
  readonly passkeyFrom: RiskLevel | null
  readonly backups: Partial<BackupRetention>
  readonly rating: FileRating
  /** As written; `loadPolicy` decides whether they may run. */
  readonly programs: readonly Omit<CheckerProgram, 'trusted'>[]
  readonly rules: readonly Rule[]
  readonly limits: readonly Limit[]
  readonly tests: readonly PolicyTest[]
  /** Presets only. */
  readonly row: Omit<PresetRow, 'preset'> | null
}

/** INVARIANT: L3, a file with any problem contributes no rule, and no rule is dropped silently. */
export interface RefusedFile {
  readonly kind: 'refused'
  readonly problems: readonly PolicyProblem[]
}

const MOST_PROBLEMS = 100

/** Loads one policy file completely, or returns every problem with its line and column. */
export function loadPolicyFile(
  file: PolicySource,
  known: { readonly checkers: readonly string[] },
): LoadedFile | RefusedFile {
  const text = file.text.startsWith('\uFEFF') ? file.text.slice(1) : file.text
  const position = positionsIn(text)
  const at = (offset: number) => ({ file: file.name, ...position(offset) })
  const read = readYaml(text)
  const early = read.problems
    .slice(0, MOST_PROBLEMS)
    .map(({ kind, offset, message }) => ({ code: CODES[kind], ...at(offset), message }))
  if (read.kind === 'refused') return refused(early)
  const { tree } = read
  const isPreset = file.layer === 'preset' || file.layer === 'builtin'
  const checked = (isPreset ? presetFile : policyFile).safeParse(tree.value)
  const issues = checked.success ? [] : checked.error.issues.slice(0, MOST_PROBLEMS)
  const placed = [
    ...issues.flatMap((issue) => issueProblems(issue, tree.value)),
    ...crossProblems(file, tree.value, known.checkers),
  ]
  const late = placed.map(({ path, at: part, ...said }): PolicyProblem => {
    const offset = part === 'key' ? tree.offsetOfKey(path) : tree.offsetOf(path)
    return { code: 'CS_POLICY_INVALID', ...at(offset), ...said }
  })
  const problems = [...early, ...late]
  return checked.success && problems.length === 0 ? assemble(file, checked.data, tree, at) : refused(problems)
}

const CODES = { 'too-large': 'CS_POLICY_TOO_LARGE', syntax: 'CS_POLICY_SYNTAX', invalid: 'CS_POLICY_INVALID' } as const

type Place = { readonly file: string; readonly line: number; readonly column: number }

function assemble(
  file: PolicySource,
  document: PolicyDocument,
  tree: YamlTree,
  at: (offset: number) => Place,
): LoadedFile {
  const lineOf = (path: TreePath): number => at(tree.offsetOf(path)).line
  return {
    kind: 'loaded',
    name: file.name,
    layer: file.layer,
    preset: document.preset === undefined ? null : { name: document.preset, ...pick(at(tree.offsetOf(['preset']))) },
    timeoutMs: document.defaults?.timeout ?? null,
    passkeyFrom: document.defaults?.passkey ?? null,
    backups: backupsOf(document),
    rating: mergeRating(file, document),
    programs: Object.entries(document.checkers ?? {}).map(([name, { run, timeout }]) => ({
      name,
      run,
      timeoutMs: timeout ?? null,
      file: file.name,
      line: lineOf(['checkers', name]),
    })),
    rules: expandRules(file, document, lineOf),
    limits: limitsOf(file, document, lineOf),
    tests: (document.tests ?? []).map((test, index) => ({ ...test, file: file.name, line: lineOf(['tests', index]) })),
    row: rowOf(document),
  }
}

function mergeRating({ layer }: PolicySource, { thresholds, servers }: PolicyDocument): FileRating {
  const named = Object.entries(servers ?? {}).map(([name, { trusted }]): [string, boolean] => [name, trusted])
  return { layer, thresholds: thresholds ?? {}, servers: named }
}

function backupsOf({ defaults }: PolicyDocument): Partial<BackupRetention> {
  const { keep, most } = defaults?.backups ?? {}
  return { ...(keep === undefined ? {} : { keepMs: keep }), ...(most === undefined ? {} : { mostBytes: most }) }
}

function pick({ line, column }: Place): { readonly line: number; readonly column: number } {
  return { line, column }
}

function limitsOf(file: PolicySource, document: PolicyDocument, lineOf: (path: TreePath) => number): readonly Limit[] {
  const limits = document.limits ?? {}
  const names = ['calls', 'files', 'lines'] as const
  return names.flatMap((name) =>
    (limits[name] ?? []).map((limit) => ({
      name,
      ...limit,
      layer: file.layer,
      file: file.name,
      line: lineOf(['limits', name]),
    })),
  )
}

function rowOf({ rows }: PolicyDocument): Omit<PresetRow, 'preset'> | null {
  if (rows === undefined) return null
  const { undescribed, ignores_declarations, ...byRisk } = rows
  return { byRisk, undescribed, ignoresDeclarations: ignores_declarations }
}

function refused(problems: readonly PolicyProblem[]): RefusedFile {
  return { kind: 'refused', problems: sortProblems(problems) }
}

/** The rating settings of one file. */
export interface FileRating {
  readonly layer: Layer
  readonly thresholds: Partial<Thresholds>
  readonly servers: readonly (readonly [name: string, trusted: boolean])[]
}
