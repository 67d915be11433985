import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  asCountersignError,
  type BackupAges,
  type BackupBounds,
  type Backups,
  type BackupTarget,
  type Clock,
  CountersignError,
  type Kept,
  type Measured,
  sizeWords,
} from '@countersign/core'
import { openOwnFolder, systemCode } from '../files/private-file.ts'
import { realPath } from '../files/real-path.ts'
import type { Home } from '../home/home.ts'
import { writeAfter } from './after-snapshot.ts'
import { copyFileWhole, syncFiles, syncFolder } from './copy-file.ts'
import {
  countTrees,
  deepestExisting,
  outermost,
  readTree,
  refuseMoved,
  type TreeEntry,
  type TreeSize,
  treeEntry,
  unfit,
} from './file-tree.ts'
import { type KeptEntry, type KeptTarget, MANIFEST, manifestHash, manifestText, readManifest } from './manifest.ts'
import { backupName, backupNames, crowding, MOST_COPIES, pruneBackups, UNFINISHED } from './prune.ts'

const PRUNE_EVERY_MS = 60_000
const TURN = 16

/** Copies in the home's `backups` folder: one folder for each, with a manifest and a file for every file. */
export function openBackups(home: Home, clock: Pick<Clock, 'now'>): Backups {
  let prunedAt = Number.NEGATIVE_INFINITY

  function tidy(ages: BackupAges, kept: string): void {
    const now = clock.now()
    if (now - prunedAt < PRUNE_EVERY_MS) return
    prunedAt = now
    pruneBackups(home.backups, ages, now, kept).catch(() => {}) // tried again with a later copy
  }

  return Object.freeze({
    async measure(targets: readonly BackupTarget[], bounds: BackupBounds, ages: BackupAges): Promise<Measured> {
      try {
        const { size, absent } = survey(targets, bounds, home)
        const why = crowding(home.backups, size.bytes, ages, clock.now())
        return why === null ? { kind: 'possible', ...size, absent } : { kind: 'crowded', why }
      } catch (error) {
        if (error instanceof CountersignError) return { kind: 'impossible', why: error.message }
        throw error
      }
    },
    async keep(
      callId: string,
      targets: readonly BackupTarget[],
      bounds: BackupBounds,
      ages: BackupAges & { readonly approved: boolean },
    ) {
      const surveyed = survey(targets, bounds, home)
      const why = ages.approved ? null : crowding(home.backups, surveyed.size.bytes, ages, clock.now())
      if (why !== null) throw unfit(why)
      const kept = await keep(callId, surveyed, clock.now(), home)
      tidy(ages, kept.name)
      return kept
    },
    async readText(name: string, real: string, maxBytes: number) {
      const folder = join(home.backups, basename(name))
      const entry = readManifest(folder).entries.find(({ path }) => path === real)
      if (entry?.copy === undefined || (entry.size ?? 0) > maxBytes) return undefined
      const bytes = readFileSync(join(folder, basename(entry.copy)))
      return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined
    },
    async note(name: string) {
      const folder = join(home.backups, basename(name))
      writeAfter(folder, readManifest(folder))
    },
  })
}

async function keep(call: string, { targets, entries, size }: Survey, madeAt: number, home: Home): Promise<Kept> {
  openOwnFolder(home.backups, 'CS_BACKUP')
  const random = randomBytes(8).toString('hex')
  const name = backupName(madeAt, size.bytes, random)
  const making = join(home.backups, `${UNFINISHED}${random}`)
  try {
    mkdirSync(making, { mode: 0o700 })
    const kept: KeptEntry[] = []
    for (const [at, entry] of entries.entries()) {
      kept.push(await copyEntry(entry, making, String(at)))
      if (at % TURN === TURN - 1) await setImmediate() // others may run between the files of a large tree
    }
    await syncFiles(kept.flatMap(({ copy }) => (copy === undefined ? [] : [join(making, copy)])))
    for (const { path } of targets) refuseMoved(dirname(path)) // SECURITY: A7, once more: what was copied is what was named
    const text = manifestText({ version: 1, call, madeAt, targets, entries: kept })
    writeManifest(join(making, MANIFEST), text)
    syncFolder(making)
    renameSync(making, join(home.backups, name))
    syncFolder(home.backups)
    return { name, ...size, manifest: manifestHash(text) }
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    throw asCountersignError(
      error,
      'CS_BACKUP',
      `it cannot be copied (${systemCode(error) ?? 'unknown'}); check the disk`,
    )
  }
}

function writeManifest(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

async function copyEntry(entry: TreeEntry, folder: string, copy: string): Promise<KeptEntry> {
  const { path, type, stats, link } = entry
  const common = {
    path,
    mode: Number(stats.mode) & 0o7777,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    accessedAt: Number(stats.atimeNs) / 1e6,
    changedAt: Number(stats.mtimeNs) / 1e6,
  }
  if (type === 'link') return { ...common, type, link: link ?? '' }
  if (type !== 'file') return { ...common, type: 'folder' }
  const sha256 = await copyFileWhole(entry, join(folder, copy))
  return { ...common, type, size: Number(stats.size), sha256, copy }
}

/** Left free on the disk of the copies whatever they need. */
const SPARE_BYTES = 16 * 1024 * 1024

/** What a copy would be made of. */
interface Survey {
  readonly targets: readonly KeptTarget[]
  readonly entries: readonly TreeEntry[]
  readonly size: TreeSize
  readonly absent: number
}

/** Looks at everything that would be copied, and throws CS_BACKUP where that cannot be done. */
function survey(given: readonly BackupTarget[], bounds: BackupBounds, home: Home): Survey {
  const count = countTrees(bounds)
  const paths = outermost(given.flatMap(pathsOf))
  const entries: TreeEntry[] = []
  const targets = paths.map((path): KeptTarget => {
    if (`${home.dir}/`.startsWith(path === '/' ? path : `${path}/`))
      throw unfit(`\`${path}\` contains the gate’s own folder`)
    refuseMoved(dirname(path))
    const found = readTree(path, count)
    if (found[0]?.type === 'other') throw unfit(`\`${path}\` is neither a file nor a folder`)
    for (const entry of found) {
      if (entry.type === 'file') refuseUnreadable(entry)
      if (entry.type !== 'other') entries.push(entry)
    }
    return found.length === 0
      ? { path, was: 'absent', below: deepestExisting(dirname(path)) }
      : { path, was: 'present' }
  })
  for (const { use, real } of given) if (use === 'write') refuseSeveralNames(real)
  refuseFullDisk(count.size.bytes, home)
  return { targets, entries, size: count.size, absent: targets.filter(({ was }) => was === 'absent').length }
}

/**
 * What is deleted by the name of a link is the link. What is written by one may be either: some programs write where it
 * leads, others put a new file or link in its place.
 */
function pathsOf({ real, use, entry, into = [] }: BackupTarget): readonly string[] {
  if (into.length > 0 && treeEntry(real)?.type === 'folder') return into.map((name) => join(real, name))
  if (entry === null || entry.given.endsWith('/')) return [real]
  const name = basename(entry.given)
  if (name === '' || name === '.' || name === '..' || name === '~') return [real]
  const spelled = join(realPath(dirname(entry.given), entry.cwd), name)
  if (treeEntry(spelled)?.type !== 'link') return [real]
  return use === 'delete' ? [spelled] : [spelled, real]
}

/** Said before anyone is asked, and not only when the copy is made. */
function refuseUnreadable({ path }: TreeEntry): void {
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw unfit(`this account can’t read \`${path}\``)
  }
}

/** Undoing puts one name back: a file that goes by others too would stay changed under those. */
function refuseSeveralNames(path: string): void {
  const entry = treeEntry(path)
  if (entry?.type === 'file' && entry.stats.nlink > 1n)
    throw unfit(`\`${path}\` has another hard link, which would change too`)
}

function refuseFullDisk(bytes: number, home: Home): void {
  const { bavail, bsize } = statfsSync(deepestExisting(home.backups))
  if (bavail * bsize < bytes + SPARE_BYTES)
    throw unfit(`\`${home.backups}\` has no room for a copy of ${sizeWords(bytes)}`)
}

/** A copy that is still there. */
export interface KeptBackup {
  readonly name: string
  readonly call: string
  readonly madeAt: number
  readonly targets: readonly string[]
  readonly files: number
  readonly bytes: number
}

/** The copies of a home, newest first. What cannot be read is left out: it cannot be restored either. */
export function listBackups(home: Home, most = MOST_COPIES): readonly KeptBackup[] {
  return backupNames(home.backups)
    .slice(0, most)
    .flatMap((name): readonly KeptBackup[] => {
      try {
        const { call, madeAt, targets, entries } = readManifest(join(home.backups, name))
        const files = entries.filter(({ type }) => type !== 'folder')
        const bytes = files.reduce((sum, { size = 0 }) => sum + size, 0)
        return [{ name, call, madeAt, targets: targets.map(({ path }) => path), files: files.length, bytes }]
      } catch (error) {
        if (error instanceof CountersignError) return []
        throw error
      }
    })
}
