import { type BigIntStats, closeSync, constants, fstatSync, openSync } from 'node:fs'
import { CountersignError } from '@countersign/core'
import { systemCode } from './private-file.ts'

/** An open plain file and what it was when opened. */
export interface FileBody {
  readonly fd: number
  readonly stats: BigIntStats
}

/** Opens the very file that was seen at `real`, never another that took its place, and never waits for a writer. */
export function openBody(real: string, seen: BigIntStats): FileBody | 'swapped' | 'unreadable' {
  let fd: number
  try {
    fd = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EACCES' || code === 'EPERM') return 'unreadable'
    if (code === 'ELOOP' || code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENXIO') return 'swapped'
    throw new CountersignError('CS_TARGET', `\`${real}\` cannot be opened (${code}); check the disk`, { cause: error })
  }
  const stats = fstatSync(fd, { bigint: true })
  if (stats.dev === seen.dev && stats.ino === seen.ino && stats.isFile()) return { fd, stats }
  closeSync(fd)
  return 'swapped'
}
