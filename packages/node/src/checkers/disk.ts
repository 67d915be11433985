import { statfsSync } from 'node:fs'
import { type CheckAnswer, type Checker, changedTargets, numberOf, sizeWords } from '@countersign/core'
import { deepestExisting } from '../backups/file-tree.ts'
import { writtenBytes } from './written-bytes.ts'

/** What one file system still has room for. */
interface Room {
  readonly folder: string
  readonly free: number
  /** False only where a file system counts its files and can hold no more. */
  readonly hasNames: boolean
}

/** Checks for free space on the file systems of the call's targets, not of the gate. */
export function diskChecker(roomOf: (folder: string) => Room = room): Checker {
  return {
    name: 'disk',
    check(input): CheckAnswer {
      const written = new Set(
        input.risk.paths.flatMap(({ use, real }) => (use === 'write' && real !== null ? [real] : [])),
      )
      const targets = changedTargets(input).known.filter(({ real }) => written.has(real))
      if (targets.length === 0) return { status: 'skip', message: 'it does not name a file that it writes' }
      const needed = writtenBytes(input.call)
      const least = numberOf(input.settings, 'disk', 'free')
      const folders = new Set(targets.map(({ real }) => deepestExisting(real)))
      const rooms = [...folders].map(roomOf)
      const full = rooms.find(({ free, hasNames }) => free - needed < least || !hasNames)
      if (full === undefined) return { status: 'pass', message: `there is room: ${sizeWords(lowest(rooms))} free` }
      const { folder, free, hasNames } = full
      return {
        status: 'fail',
        message: hasNames
          ? `the disk of \`${folder}\` has ${sizeWords(free)} free, and ${sizeWords(least + needed)} are needed`
          : `the disk of \`${folder}\` has no room for more files`,
        details: { folder, free, needed, least },
        suggestion: 'free some disk space first',
        overridable: true,
      }
    },
  }
}

function room(folder: string): Room {
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  return { folder, free: bavail * bsize, hasNames: files === 0 || ffree > 0 }
}

function lowest(rooms: readonly Room[]): number {
  return Math.min(...rooms.map(({ free }) => free))
}
