import type { Targets } from '../../ports/targets.ts'
import type { PreviewTarget } from '../model/preview.ts'

/** Entries of a folder that are counted, and names of it that are shown. */
const COUNTED = 5_000
const LISTED = 12

/** How much of a folder is looked at. */
export interface LookBounds {
  readonly counted: number
  readonly listed: number
}

/** Looks at a file or folder that a call would touch: what it is, how much it holds. What cannot be seen is said, not thrown. */
export async function lookAt(
  path: string,
  use: PreviewTarget['use'],
  cwd: string,
  targets: Targets,
  { counted, listed }: LookBounds = { counted: COUNTED, listed: LISTED },
): Promise<PreviewTarget> {
  const empty = { files: 0, folders: 0, bytes: 0, listed: [], unread: 0, complete: true }
  try {
    const { type, bytes, leads } = await targets.facts(path, cwd)
    if (type === 'directory') return { path, use, type, ...(await targets.tree(path, cwd, counted, listed)) }
    const link = leads === undefined ? {} : { leads }
    return { path, use, type, ...link, ...empty, files: type === 'absent' ? 0 : 1, bytes }
  } catch {
    return { path, use, type: 'unseen', ...empty, complete: false }
  }
}

/** A size as people say it. */
export function byteWords(bytes: number): string {
  const units = ['KB', 'MB', 'GB', 'TB']
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  let value = bytes / 1024
  let unit = 0
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** A count with its noun, in groups of three: `1 file`, `12,000 files`. */
export function countedWords(count: number, noun: string): string {
  const digits = String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${digits} ${noun}${count === 1 ? '' : 's'}`
}
