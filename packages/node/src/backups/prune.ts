import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupAges, sizeWords } from '@countersign/core'
import type { Home } from '../home/home.ts'

/** A copy's name has its date and size, so the oldest is found without reading any copy. */
const NAME = /^(\d{1,15})-(\d{1,15})-[0-9a-f]{16}$/

/** A copy that was never finished, and one that is being deleted. */
export const UNFINISHED = '.new-'
const LEAVING = '.old-'

/** Stands in a copy that somebody is about to restore from. */
const SPARED = 'spared'
const SPARED_MS = 86_400_000

/** No process keeps more copies than this. */
export const MOST_COPIES = 10_000
const ABANDONED_MS = 3_600_000

export function backupName(madeAt: number, bytes: number, random: string): string {
  return `${Math.max(0, Math.floor(madeAt))}-${bytes}-${random}`
}

/**
 * Keeps a copy from being pruned for a day: an undo waits for a person, and makes a copy of its own before it reads the
 * one it restores.
 */
export function spareBackup(home: Home, name: string): void {
  writeFileSync(join(home.backups, name, SPARED), '', { mode: 0o600 })
}

/** Names of the copies in a folder, newest first. */
export function backupNames(folder: string): readonly string[] {
  return entriesOf(folder)
    .flatMap((name) => {
      const found = NAME.exec(name)
      return found === null ? [] : [{ name, madeAt: Number(found[1]) }]
    })
    .sort((a, b) => b.madeAt - a.madeAt || (a.name < b.name ? 1 : -1))
    .map(({ name }) => name)
}

/** No copy is deleted for another before this age: a flood of changes nobody is asked about could erase their undo. */
const YOUNG_MS = 86_400_000

/** Why a copy of this size would exceed what may be kept, with only young copies left; null if it would not. */
export function crowding(folder: string, bytes: number, ages: BackupAges, now: number): string | null {
  const young = backupNames(folder)
    .map((name) => name.split('-').map(Number))
    .filter(([madeAt = 0]) => now - madeAt <= Math.min(YOUNG_MS, ages.keepMs))
  const taken = young.reduce((sum, [, size = 0]) => sum + size, 0)
  if (bytes > 0 && taken + bytes > ages.mostBytes)
    return `copies of the last day take ${sizeWords(taken)}, and all together may take ${sizeWords(ages.mostBytes)}`
  return young.length >= MOST_COPIES ? `${MOST_COPIES} copies were made in the last day` : null
}

/**
 * Deletes what is too old or past the size, oldest first, and what crashes left behind. Never the copy called `kept`,
 * a young one that is only past the size, nor one that is spared.
 */
export async function pruneBackups(folder: string, ages: BackupAges, now: number, kept: string): Promise<void> {
  let bytes = 0
  const leaving = backupNames(folder).filter((name, at) => {
    const [madeAt = 0, size = 0] = name.split('-').map(Number)
    bytes += size
    const isOver = bytes > ages.mostBytes || at >= MOST_COPIES
    const isPast = now - madeAt > ages.keepMs || (isOver && now - madeAt > YOUNG_MS)
    return isPast && name !== kept && !isYoung(join(folder, name, SPARED), SPARED_MS)
  })
  for (const name of leaving) {
    // Renamed first: a half-deleted copy must not look complete.
    renameSync(join(folder, name), join(folder, `${LEAVING}${name}`))
  }
  const rest = entriesOf(folder).filter(
    (name) => name.startsWith(LEAVING) || (name.startsWith(UNFINISHED) && !isYoung(join(folder, name), ABANDONED_MS)),
  )
  await Promise.all(rest.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

/** What is gone by now is not young. */
function isYoung(path: string, ms: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs <= ms
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
