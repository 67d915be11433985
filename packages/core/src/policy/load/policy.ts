import type { Crypto } from '../../ports/crypto.ts'
import type { ParsedFiles, PolicyFile, PolicyVersions } from '../../ports/policy-files.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import { type PolicyProblem, quote, sortProblems } from '../model/policy-problem.ts'
import type { PolicySet } from '../model/rule.ts'
import { loadKnowledgeFile } from '../parse/knowledge-file.ts'
import { type LoadedFile, loadPolicyFile } from '../parse/policy-file.ts'
import { BUILTIN, PRESETS } from '../presets/compiled/presets.ts'
import { isPresetName, type PresetName } from '../presets/preset-name.ts'
import { DEFAULT_TIMEOUT_MS } from '../schema/duration.ts'
import { asFloors, layerRules, onlyTightens, qualifyIds } from './layer-rules.ts'
import {
  definedCheckerNames,
  lowestPasskeyLevel,
  mergeNetwork,
  mergeRating,
  mergeRetention,
  possiblePasskeyLevel,
  programConflicts,
  strictestAgentPrompts,
} from './merged-settings.ts'
import { type KnowledgeOfFile, mergeKnowledge } from './own-knowledge.ts'
import { parsedOnce } from './parsed-policy.ts'
import { combinePresets, loadBuiltin } from './preset.ts'

export { failClosedPolicy } from './fail-closed-policy.ts'

/** What loading needs besides the files. */
export interface LoadPolicyOptions {
  /** Names of the registered checkers. */
  readonly checkers: readonly string[]
  readonly crypto: Crypto
  /** Results of parsing from earlier processes. */
  readonly parsed?: ParsedFiles
  /** Where the text behind the policy's hash is kept. */
  readonly versions?: PolicyVersions
  /** The preset if no file chooses one. */
  readonly defaultPreset?: PresetName
}

/** A policy ready to compile, or every problem in it. */
export type LoadedPolicy =
  | { readonly kind: 'loaded'; readonly policy: PolicySet; readonly problems: readonly [] }
  | {
      readonly kind: 'refused'
      readonly problems: readonly PolicyProblem[]
      /** The policy of the valid files. Nothing may run on it alone; see `failClosedPolicy`. */
      readonly rest: PolicySet
    }

/** A valid policy file. */
interface Good {
  readonly file: PolicyFile
  readonly content: LoadedFile
}

/**
 * Loads all policy files and merges the layers. One invalid file makes the whole policy invalid, because nobody knows what it
 * denies. The order of files does not matter.
 */
export function loadPolicy(files: readonly PolicyFile[], options: LoadPolicyOptions): LoadedPolicy {
  const loaded: Good[] = []
  const problems: PolicyProblem[] = []
  const suspected: (RiskLevel | undefined)[] = []
  const checkers = [...options.checkers, ...definedCheckerNames(files)]
  const taught: KnowledgeOfFile[] = []
  const texts: PolicyFile[] = []
  for (const file of [...files].sort(byPlace)) {
    if (file.form === 'knowledge') {
      const content =
        file.unreadable === undefined
          ? parsedOnce(file, [], () => loadKnowledgeFile(file), options)
          : unread(file, file.unreadable)
      if (content.kind === 'refused') problems.push(...content.problems)
      else {
        taught.push({ file, content })
        texts.push(file)
      }
      continue
    }
    const content =
      file.unreadable === undefined
        ? parsedOnce(file, checkers, () => loadPolicyFile(file, { checkers }), options)
        : unread(file, file.unreadable)
    if (content.kind === 'loaded') {
      loaded.push({ file, content })
      texts.push(file)
    } else {
      problems.push(...content.problems)
      suspected.push(possiblePasskeyLevel(file))
    }
  }
  const contents = loaded.map(({ content }) => content)
  problems.push(...presetConflicts(contents), ...programConflicts(contents, options.checkers))
  const policy = mergeLayers(loaded, taught, suspected, options, texts)
  if (problems.length > 0) return { kind: 'refused', problems: sortProblems(problems), rest: policy }
  return { kind: 'loaded', problems: [], policy }
}

function unread({ name }: PolicyFile, message: string) {
  const problem: PolicyProblem = { code: 'CS_POLICY_READ', file: name, line: 1, column: 1, message }
  return { kind: 'refused', problems: [problem] } as const
}

function mergeLayers(
  loaded: readonly Good[],
  taught: readonly KnowledgeOfFile[],
  suspected: readonly (RiskLevel | undefined)[],
  options: LoadPolicyOptions,
  texts: readonly PolicyFile[],
): PolicySet {
  const contents = loaded.map(({ content }) => content)
  const names = chosenPresets(contents, options.defaultPreset ?? 'balanced')
  const preset = combinePresets(names)
  const rules = [
    ...loaded.flatMap(({ file, content }) => layerRules(content.rules, file)),
    ...preset.rules,
    ...asFloors(loadBuiltin().rules),
  ]
  const timeouts = contents.flatMap(({ timeoutMs }) => timeoutMs ?? [])
  const passkeyFrom = lowestPasskeyLevel([...suspected, ...contents.map((content) => content.passkeyFrom)])
  const agentPrompts = strictestAgentPrompts(contents.map((content) => content.agentPrompts))
  return {
    rules: qualifyIds(rules),
    row: preset.row,
    limits: contents.flatMap(({ limits }) => limits),
    timeoutMs: timeouts.length === 0 ? DEFAULT_TIMEOUT_MS : Math.min(...timeouts),
    programs: loaded.flatMap(({ file, content }) =>
      content.programs.map((program) => ({ ...program, trusted: file.layer !== 'project' || file.trusted === true })),
    ),
    backups: mergeRetention(
      loaded.map(({ file: { layer, trusted }, content: { backups } }) => ({
        backups,
        layer,
        trusted: trusted === true,
      })),
    ),
    ...(passkeyFrom === undefined ? {} : { passkeyFrom }),
    ...(agentPrompts === undefined ? {} : { agentPrompts }),
    ...mergeNetwork(loaded.map(({ file, content }) => ({ ...file, ...networkOf(content) }))),
    rating: { ...mergeRating(contents.map(({ rating }) => rating)), ...mergeKnowledge(taught) },
    hash: versionOf(describe(texts, names), options),
  }
}

/** The hash of a policy by everything that affects its decisions; the text behind it is kept. */
export function versionOf(text: string, { crypto, versions }: Pick<LoadPolicyOptions, 'crypto' | 'versions'>): string {
  const hash = crypto.sha256(text)
  versions?.keep(hash, text)
  return hash
}

function networkOf({ network }: LoadedFile): Pick<LoadedFile, 'network'> {
  return network === undefined ? {} : { network }
}

/** The chosen presets. If an organization and the person choose different ones, both apply. */
function chosenPresets(contents: readonly LoadedFile[], fallback: PresetName): readonly PresetName[] {
  const names = contents.flatMap(({ preset }) => (preset !== null && isPresetName(preset.name) ? [preset.name] : []))
  return names.length === 0 ? [fallback] : [...new Set(names)].sort()
}

/** Reports user files that choose different presets. */
function presetConflicts(contents: readonly LoadedFile[]): readonly PolicyProblem[] {
  const [first, ...others] = contents.filter(({ layer, preset }) => layer === 'user' && preset !== null)
  return others.flatMap(({ name, preset }): readonly PolicyProblem[] => {
    if (preset === null || preset.name === first?.preset?.name) return []
    const message = `the preset is ${quote(first?.preset?.name ?? '')} in ${quote(first?.name ?? '')} and ${quote(preset.name)} here; keep one`
    return [{ code: 'CS_POLICY_INVALID', file: name, line: preset.line, column: preset.column, message }]
  })
}

/** The input of the policy hash: everything that affects decisions, in a fixed order. */
function describe(files: readonly PolicyFile[], presets: readonly PresetName[]): string {
  return JSON.stringify([
    'countersign/policy/v1',
    [...files]
      .sort(byPlace)
      .map((file) => [file.layer, file.name, onlyTightens(file) ? 'tightens' : 'speaks', file.text]),
    presets.map((name) => [name, PRESETS[name].text]),
    BUILTIN.text,
  ])
}

function byPlace(a: PolicyFile, b: PolicyFile): number {
  const key = ({ layer, name, text, trusted }: PolicyFile): readonly string[] => [layer, name, text, String(trusted)]
  const [left, right] = [key(a), key(b)]
  for (const [index, one] of left.entries()) {
    const other = right[index] ?? ''
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}
