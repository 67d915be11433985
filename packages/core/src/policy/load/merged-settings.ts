import type { PolicyFile } from '../../ports/policy-files.ts'
import { type RiskLevel, riskRank } from '../../risk/report/level.ts'
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../risk/report/rating-input.ts'
import { type PolicyProblem, quote } from '../model/policy-problem.ts'
import { AGENT_PROMPTS, type AgentPrompts, type BackupRetention, type NamedHosts, type Rating } from '../model/rule.ts'
import { definedCheckers } from '../parse/cross-field-problems.ts'
import type { FileRating, LoadedFile } from '../parse/policy-file.ts'
import { readYaml } from '../parse/yaml-tree.ts'
import { onlyTightens } from './layer-rules.ts'

/**
 * Merges the rating settings of all files. The person's lowest thresholds replace the defaults; a managed file can only lower
 * them further. A server is trusted if the person trusts it and no file objects. Any file can declare production.
 */
export function mergeRating(files: readonly FileRating[]): Rating {
  const lowest = (of: (one: Partial<Thresholds>) => number | undefined, usual: number): number => {
    const said = (managed: boolean) =>
      files.filter(({ layer }) => (layer === 'managed') === managed).flatMap(({ thresholds }) => of(thresholds) ?? [])
    const own = said(false)
    return Math.min(own.length === 0 ? usual : Math.min(...own), ...said(true))
  }
  const named = files.flatMap(({ servers }) => servers)
  const objected = new Set(named.filter(([, trusted]) => !trusted).map(([name]) => name))
  return {
    thresholds: {
      records: lowest(({ records }) => records, DEFAULT_THRESHOLDS.records),
      amount: lowest(({ amount }) => amount, DEFAULT_THRESHOLDS.amount),
    },
    trustedServers: new Set(named.filter(([name, trusted]) => trusted && !objected.has(name)).map(([name]) => name)),
    production: files.flatMap(({ production }) => production),
  }
}

/** The lowest risk from which any file requires a passkey. */
export function lowestPasskeyLevel(levels: readonly (RiskLevel | null | undefined)[]): RiskLevel | undefined {
  return levels.flatMap((level) => level ?? []).toSorted((a, b) => riskRank(a) - riskRank(b))[0]
}

/** The lowest risk up to which every file lets a coding agent's own prompt answer. */
export function strictestAgentPrompts(said: readonly (AgentPrompts | null | undefined)[]): AgentPrompts | undefined {
  return AGENT_PROMPTS.find((one) => said.includes(one))
}

/**
 * The passkey level an invalid file may require. A project can't require any. A file that is unreadable or mentions passkeys
 * counts as requiring one from high risk up.
 */
export function possiblePasskeyLevel({ layer, text, unreadable }: PolicyFile): RiskLevel | undefined {
  if (layer === 'project') return undefined
  return unreadable !== undefined || text.includes('passkey') ? 'high' : undefined
}

/** The default retention of backups. */
export const USUAL_RETENTION: BackupRetention = { keepMs: 7 * 86_400_000, mostBytes: 1024 ** 3 }

/** The retention settings of one file, with its layer. */
export interface SaidRetention {
  readonly backups: Partial<BackupRetention>
  readonly layer: 'managed' | 'user' | 'project'
  readonly trusted: boolean
}

/**
 * Merges retention settings: the longest and largest apply, so that no file deletes what another wants to keep. All projects
 * share one backup folder, so a trusted project can only extend the values, and an untrusted one is ignored.
 */
export function mergeRetention(files: readonly SaidRetention[]): BackupRetention {
  const own = files.filter(({ layer }) => layer !== 'project')
  const projects = files.filter(({ layer, trusted }) => layer === 'project' && trusted)
  const most = (of: (said: Partial<BackupRetention>) => number | undefined, usual: number): number => {
    const said = own.flatMap(({ backups }) => of(backups) ?? [])
    return Math.max(...(said.length === 0 ? [usual] : said), ...projects.flatMap(({ backups }) => of(backups) ?? []))
  }
  return {
    keepMs: most(({ keepMs }) => keepMs, USUAL_RETENTION.keepMs),
    mostBytes: most(({ mostBytes }) => mostBytes, USUAL_RETENTION.mostBytes),
  }
}

/**
 * Merges the hosts of `network:`. The person's and trusted projects' add up; an untrusted project's are ignored. A managed
 * file's only narrow the others.
 */
export function mergeNetwork(files: readonly (Pick<PolicyFile, 'layer' | 'trusted'> & Pick<LoadedFile, 'network'>)[]) {
  const said = files.filter((file) => file.network !== undefined)
  const within = said.flatMap(({ layer, network }) => (layer === 'managed' && network ? [network] : []))
  const own = said.filter((file) => !onlyTightens(file)).flatMap(({ network }) => network ?? [])
  const named = [...new Set(own)].sort()
  return named.length === 0 ? {} : { network: { named, within } satisfies NamedHosts }
}

/** Names of the checkers defined in any of these files. Rules may use checkers from other files. */
export function definedCheckerNames(files: readonly Pick<PolicyFile, 'text' | 'form'>[]): readonly string[] {
  return files.flatMap(({ text, form }) => {
    if (form === 'knowledge' || !text.includes('checkers')) return []
    const read = readYaml(text)
    return read.kind === 'refused' ? [] : definedCheckers(read.tree.value)
  })
}

/** Reports checker names that are defined twice. */
export function programConflicts(
  contents: readonly LoadedFile[],
  registered: readonly string[],
): readonly PolicyProblem[] {
  const seen = new Map<string, string>(registered.map((name) => [name, 'the program that opens the gate']))
  return contents.flatMap(({ programs }) =>
    programs.flatMap(({ name, file, line }): readonly PolicyProblem[] => {
      const other = seen.get(name)
      seen.set(name, quote(file))
      if (other === undefined) return []
      const message = `the checker ${quote(name)} is already defined by ${other}; give it another name`
      return [{ code: 'CS_POLICY_INVALID', file, line, column: 1, message }]
    }),
  )
}
