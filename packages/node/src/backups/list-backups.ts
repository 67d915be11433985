import { join } from 'node:path'
import { CountersignError } from '@countersign/core'
import type { Home } from '../home/home.ts'
import { readManifest } from './manifest.ts'
import { backupNames, MOST_COPIES } from './prune.ts'

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
