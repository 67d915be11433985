import { type BigIntStats, closeSync, lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { FileState } from '@countersign/core'
import { openBody } from '../files/opened-file.ts'
import { systemCode } from '../files/private-file.ts'
import { hashBody, programHashes, statOf } from '../targets/file-hash.ts'

/** INVARIANT: L10, larger files, and files past this sum, are told apart by identity and times. */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_BYTES_IN_ALL = 128 * 1024 * 1024
/** A file that changed this recently could change again without getting another time. */
const RACY_NS = 20_000_000n

/** The state of files of a workspace now. A file whose `mark` is the same has the same content. */
export async function fileStates(workspace: string, files: readonly FileState[]): Promise<readonly FileState[]> {
  const states: FileState[] = []
  let left = MOST_BYTES_IN_ALL
  for (const file of files) {
    const { path } = file
    const stats = entryOf(join(workspace, path))
    if (stats === undefined || stats === 'unreadable') {
      // What can't be looked at now may be there when a command runs.
      states.push({ path, content: stats === undefined ? 'absent' : 'unknown', mark: '' })
      continue
    }
    const mark = statOf(stats, 'file')
    if (file.mark === mark) {
      states.push(file)
      continue
    }
    const content = await contentOf(join(workspace, path), stats, Math.min(MOST_BYTES, left))
    left -= Number(stats.size)
    const isSettled = stats.ctimeNs + RACY_NS < BigInt(Date.now()) * 1_000_000n
    states.push({ path, content, mark: isSettled && !content.startsWith('stat:') ? mark : '' })
  }
  return states
}

async function contentOf(path: string, stats: BigIntStats, budget: number): Promise<string> {
  if (stats.isSymbolicLink()) return linkOf(path)
  if (!stats.isFile()) return stats.isDirectory() ? 'folder' : 'other'
  const body = openBody(path, stats)
  if (body === 'swapped' || body === 'unreadable') return statOf(stats, 'file')
  try {
    const content = await hashBody(body, budget, programHashes())
    return content === 'unbound' ? statOf(stats, 'file') : content
  } finally {
    closeSync(body.fd)
  }
}

function entryOf(path: string): BigIntStats | 'unreadable' | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    return systemCode(error) === 'ENOTDIR' ? undefined : 'unreadable'
  }
}

function linkOf(path: string): string {
  try {
    return `link:${readlinkSync(path)}`
  } catch {
    return 'absent'
  }
}
