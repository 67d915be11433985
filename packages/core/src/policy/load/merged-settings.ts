import type { PolicyFile } from '../../ports/policy-files.ts'
import { type RiskLevel, riskRank } from '../../risk/report/level.ts'
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../risk/report/rating-input.ts'
import { type PolicyProblem, quote } from '../model/policy-problem.ts'
import type { BackupRetention, Rating } from '../model/rule.ts'
import { definedCheckers } from '../parse/cross-field-problems.ts'
import type { FileRating, LoadedFile } from '../parse/policy-file.ts'
import { readYaml } from '../parse/yaml-tree.ts'

/**
 * What all files say together. A person's lowest thresholds count, in place of the usual ones; a managed file may only
 * lower them further. A server is trusted when the person says so and no file objects.
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
  }
}

/** Where several files demand one, the lowest level counts. */
export function lowestPasskeyLevel(levels: readonly (RiskLevel | null | undefined)[]): RiskLevel | undefined {
  return levels.flatMap((level) => level ?? []).toSorted((a, b) => riskRank(a) - riskRank(b))[0]
}

/**
 * What a file that did not load may have demanded. A project's cannot demand anything; one that could not be read, or
 * that speaks of passkeys, counts as if it did from high on.
 */
export function possiblePasskeyLevel({ layer, text, unreadable }: PolicyFile): RiskLevel | undefined {
  if (layer === 'project') return undefined
  return unreadable !== undefined || text.includes('passkey') ? 'high' : undefined
}

/** How long copies are kept where no file says. */
export const USUAL_RETENTION: BackupRetention = { keepMs: 7 * 86_400_000, mostBytes: 1024 ** 3 }

/** What one file says of copies, and whose file it is. */
export interface SaidRetention {
  readonly backups: Partial<BackupRetention>
  readonly layer: 'managed' | 'user' | 'project'
  readonly trusted: boolean
}

/**
 * Where several files say, the longest and the largest count: no file deletes what another wants kept. All projects
 * share one folder of copies, so a project only ever lengthens, and one that nobody trusts says nothing.
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

/** Names of the checkers that any of these files defines: a rule of one file may name the checker of another. */
export function definedCheckerNames(files: readonly Pick<PolicyFile, 'text'>[]): readonly string[] {
  return files.flatMap(({ text }) => {
    if (!text.includes('checkers')) return []
    const read = readYaml(text)
    return read.kind === 'refused' ? [] : definedCheckers(read.tree.value)
  })
}

/** A name stands for one program: which of two was meant cannot be known. */
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
