import type { BackupRetention } from '../model/rule.ts'

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
export function retentionOf(files: readonly SaidRetention[]): BackupRetention {
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
