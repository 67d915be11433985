import { type BigIntStats, readlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { TargetFacts } from '@countersign/core'
import { entryAt, realPath } from '../files/real-path.ts'

/** What lies at a path: the folders on the way are followed, a link at its end is told as itself. */
export function factsOf(path: string, cwd: string): TargetFacts {
  const at = placeOf(path, cwd)
  const entry = entryAt(at)
  if (entry === undefined) return { type: 'absent', bytes: 0, mode: 0 }
  const type = typeOf(entry)
  const figures = { type, bytes: type === 'file' ? Number(entry.size) : 0, mode: Number(entry.mode & 0o7777n) }
  return type === 'link' ? { ...figures, leads: readlinkSync(at) } : figures
}

/** Where the entry itself is: `realPath` of all but its last name. */
function placeOf(path: string, cwd: string): string {
  const named = path.replace(/\/+$/, '')
  const last = basename(named)
  if (path.endsWith('/') || last === '' || last === '.' || last === '..' || last.startsWith('~'))
    return realPath(path, cwd)
  const folder = dirname(named)
  return join(realPath(folder, cwd), last)
}

function typeOf(entry: BigIntStats): TargetFacts['type'] {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'directory'
  return entry.isFile() ? 'file' : 'other'
}
