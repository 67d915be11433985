import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
} from '@countersign/core'
import { openOwnFolder, systemCode } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { writeAfter } from './after-snapshot.ts'
import { copyFileWhole, syncFolder } from './copy-file.ts'
import { type Survey, survey } from './copy-plan.ts'
import { refuseMoved, type TreeEntry } from './file-tree.ts'
import { type KeptEntry, MANIFEST, manifestHash, manifestText, readManifest } from './manifest.ts'
import { backupName, pruneBackups, UNFINISHED } from './prune.ts'

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
    async measure(targets: readonly BackupTarget[], bounds: BackupBounds): Promise<Measured> {
      try {
        const { size, absent } = survey(targets, bounds, home)
        return { kind: 'possible', ...size, absent }
      } catch (error) {
        if (error instanceof CountersignError) return { kind: 'impossible', why: error.message }
        throw error
      }
    },
    async keep(callId: string, targets: readonly BackupTarget[], bounds: BackupBounds, ages: BackupAges) {
      const kept = await keep(callId, survey(targets, bounds, home), clock.now(), home)
      tidy(ages, kept.name)
      return kept
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
