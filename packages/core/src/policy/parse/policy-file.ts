import { hostSet } from '../../knowledge/network.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import type { Thresholds } from '../../risk/report/rating-input.ts'
import type {
  AgentPrompts,
  BackupRetention,
  CheckerProgram,
  Layer,
  Limit,
  PolicySource,
  PresetRow,
  Rule,
} from '../model/rule.ts'
import { type PolicyDocument, policyFile, presetFile } from '../schema/policy-document.ts'
import type { PolicyTest } from '../schema/test-case.ts'
import { crossProblems } from './cross-field-problems.ts'
import { type DocumentPlace, type RefusedFile, readDocument } from './document.ts'
import { expandRules } from './shorthand-rules.ts'
import type { TreePath, YamlTree } from './yaml-tree.ts'

/** A valid policy file. Its rules are as written; `loadPolicy` applies the restrictions of its layer. */
export interface LoadedFile {
  readonly kind: 'loaded'
  readonly name: string
  readonly layer: Layer
  readonly preset: { readonly name: string; readonly line: number; readonly column: number } | null
  readonly timeoutMs: number | null
  readonly passkeyFrom: RiskLevel | null
  readonly agentPrompts: AgentPrompts | null
  readonly backups: Partial<BackupRetention>
  readonly rating: FileRating
  /** Hosts of `network:`, sets replaced by their hosts; absent without the key. */
  readonly network?: readonly string[]
  /** As written; `loadPolicy` decides whether they may run. */
  readonly programs: readonly Omit<CheckerProgram, 'trusted'>[]
  readonly rules: readonly Rule[]
  readonly limits: readonly Limit[]
  readonly tests: readonly PolicyTest[]
  /** Presets only. */
  readonly row: Omit<PresetRow, 'preset'> | null
}

/** Loads one policy file completely, or returns every problem with its line and column. */
export function loadPolicyFile(
  file: PolicySource,
  known: { readonly checkers: readonly string[] },
): LoadedFile | RefusedFile {
  const isPreset = file.layer === 'preset' || file.layer === 'builtin'
  const read = readDocument(file, isPreset ? presetFile : policyFile, (root) =>
    crossProblems(file, root, known.checkers),
  )
  return read.kind === 'refused' ? read : assemble(file, read.data, read.tree, read.at)
}

function assemble(
  file: PolicySource,
  document: PolicyDocument,
  tree: YamlTree,
  at: (offset: number) => DocumentPlace,
): LoadedFile {
  const lineOf = (path: TreePath): number => at(tree.offsetOf(path)).line
  return {
    kind: 'loaded',
    name: file.name,
    layer: file.layer,
    preset: document.preset === undefined ? null : { name: document.preset, ...pick(at(tree.offsetOf(['preset']))) },
    timeoutMs: document.defaults?.timeout ?? null,
    passkeyFrom: document.defaults?.passkey ?? null,
    agentPrompts: document.defaults?.agent_prompts ?? null,
    backups: backupsOf(document),
    rating: ratingOf(file, document),
    ...(document.network === undefined ? {} : { network: document.network.flatMap((one) => hostSet(one) ?? [one]) }),
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

function ratingOf({ layer }: PolicySource, { thresholds, servers, context = [] }: PolicyDocument): FileRating {
  const named = Object.entries(servers ?? {}).map(([name, { trust }]): [string, boolean] => [name, trust === 'hints'])
  const production = context.map(({ workspaces }) => workspaces ?? null)
  return { layer, thresholds: thresholds ?? {}, servers: named, production }
}

function backupsOf({ defaults }: PolicyDocument): Partial<BackupRetention> {
  const { keep, most } = defaults?.backups ?? {}
  return { ...(keep === undefined ? {} : { keepMs: keep }), ...(most === undefined ? {} : { mostBytes: most }) }
}

function pick({ line, column }: DocumentPlace): { readonly line: number; readonly column: number } {
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

function rowOf({ rows, checks }: PolicyDocument): Omit<PresetRow, 'preset'> | null {
  if (rows === undefined) return null
  const { undescribed, contained, contact, ignores_declarations, ...byRisk } = rows
  return {
    byRisk,
    undescribed,
    contained,
    contact,
    ignoresDeclarations: ignores_declarations,
    ...(checks === undefined ? {} : { checks }),
  }
}

/** The rating settings of one file. */
export interface FileRating {
  readonly layer: Layer
  readonly thresholds: Partial<Thresholds>
  readonly servers: readonly (readonly [name: string, trusted: boolean])[]
  /** Folders whose workspaces work on production, one list for each `context`; null for all workspaces. */
  readonly production: readonly (readonly string[] | null)[]
}
