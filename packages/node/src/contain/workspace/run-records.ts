import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openOwnFolder } from '../../files/private-file.ts'
import { openOwners } from '../../process/call-owners.ts'
import { identityOf } from './look.ts'
import { type Restored, restoreProtected, type Watched } from './restore-protected.ts'
import { type Scan, scanWorkspace } from './scan-workspace.ts'

/** What was there when a run began, in one folder that it may write. */
interface Before extends Pick<Scan, 'root' | 'guarded' | 'repositories' | 'absent'> {
  /** Links with protected names, and where they led. */
  readonly links: readonly (readonly [path: string, target: string])[]
}

/** A run that has not been cleaned up after. */
interface RunRecord {
  readonly owner: string
  readonly before: readonly Before[]
}

const owners = openOwners()

/**
 * Notes a run that may write, so that it can be cleaned up after even if this process is killed, and so that runs beside
 * it can tell its names from the person's. Returns what to call after the clean-up.
 */
export function recordRun(gate: string, { scans, links }: Watched): () => void {
  const folder = recordsFolder(gate)
  if (!existsSync(folder)) openOwnFolder(folder, 'CS_HOME')
  const before = scans.map(({ root, guarded, repositories, absent }): Before => {
    const own = [...links].filter(([, link]) => link.root === root)
    return { root, guarded, repositories, absent, links: own.map(([path, { target }]) => [path, target] as const) }
  })
  const record: RunRecord = { owner: owners.self, before }
  const path = join(folder, `${randomBytes(8).toString('hex')}.json`)
  writeFileSync(`${path}.tmp`, JSON.stringify(record), { mode: 0o600, flag: 'wx' })
  renameSync(`${path}.tmp`, path)
  return () => rmSync(path, { force: true })
}

/** A scan that also knows which names are not the person's: those that runs still going have made. */
export function withStrangers(scan: Scan, gate: string): Scan {
  const others = readRecords(gate).flatMap(({ record }) => record?.before ?? [])
  if (others.length === 0) return scan
  const isStrange = (path: string): boolean =>
    others.some(
      ({ root, guarded, repositories, links }) =>
        path.startsWith(`${root}/`) &&
        !guarded.includes(path) &&
        !repositories.includes(path) &&
        !links.some(([link]) => link === path),
    )
  const strange = [...scan.guarded, ...scan.links, ...scan.repositories].filter(isStrange)
  return { ...scan, strangers: new Map(strange.map((path) => [path, identityOf(path)])) }
}

/** Cleans up after runs whose process was killed. Returns what they had left. */
export function recoverRuns(gate: string, quarantine: () => string): readonly Restored[] {
  return readRecords(gate).flatMap(({ path, record }) => {
    if (record !== null && owners.isAlive(record.owner)) return []
    const restored = (record?.before ?? []).flatMap((before) => restoreProtected(watchedSince(before), quarantine()))
    rmSync(path, { force: true })
    return restored
  })
}

function watchedSince({ root, guarded, repositories, absent, links }: Before): Watched {
  const now = scanWorkspace(root, false)
  const folders = new Map([...now.folders.keys()].map((folder) => [folder, null]))
  const scan: Scan = { ...now, folders, guarded, repositories, absent, links: links.map(([path]) => path) }
  return { scans: [scan], links: new Map(links.map(([path, target]) => [path, { target, root }])) }
}

function recordsFolder(gate: string): string {
  return join(gate, 'contained', 'runs')
}

interface Found {
  readonly path: string
  /** Null for one that cannot be read. */
  readonly record: RunRecord | null
}

function readRecords(gate: string): readonly Found[] {
  let names: readonly string[]
  try {
    names = readdirSync(recordsFolder(gate))
  } catch {
    return []
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name): Found[] => {
      const path = join(recordsFolder(gate), name)
      try {
        return [{ path, record: JSON.parse(readFileSync(path, 'utf8')) as RunRecord }]
      } catch (error) {
        // Ended meanwhile, unless it is not JSON.
        return error instanceof SyntaxError ? [{ path, record: null }] : []
      }
    })
}
