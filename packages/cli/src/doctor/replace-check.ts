import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { seenAt, tryToMakeIn } from './attempt.ts'
import type { Check } from './check.ts'

const STICKY = 0o1000
const FIX = 'keep it in folders that only the gate’s owner and root can change, up to the root'

/**
 * Whether this user could put something of its own in the place of a path: by owning it or a folder above it, or by
 * writing in one. SECURITY: A3, who replaces the socket is the gate to whoever asks next.
 */
export function replaceCheck(name: string, path: string, what: string): Check {
  const user = process.geteuid?.()
  for (const step of new Set([...stepsTo(path), ...stepsTo(realOrSame(path))])) {
    if (seenAt(step)?.uid === user)
      return { name, holds: false, words: `${what} can be replaced: this user owns ${step}`, fix: FIX }
    const folder = dirname(step)
    // In a folder with the sticky bit only the owner of a thing may replace it, and this user is none.
    const isSticky = ((seenAt(folder)?.mode ?? 0) & STICKY) !== 0
    if (folder !== step && !isSticky && tryToMakeIn(folder) === 'done')
      return { name, holds: false, words: `${what} can be replaced: this user can write in ${folder}`, fix: FIX }
  }
  return { name, holds: true, words: `${what} cannot be replaced by this user` }
}

function stepsTo(path: string): readonly string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [path, ...stepsTo(parent)]
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
