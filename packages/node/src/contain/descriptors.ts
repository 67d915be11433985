import { readdirSync, readFileSync } from 'node:fs'
import { CountersignError } from '@countersign/core'

const CLOSE_ON_EXEC = 0o2000000
const HIGHEST = 4_096

/**
 * Descriptors of this process that a child would inherit, besides the three standard ones. SECURITY: a folder's descriptor
 * reaches round every mount. Node closes its own; others were passed to it by whoever started it.
 */
export function inheritedDescriptors(): readonly number[] {
  const found: number[] = []
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name)
    if (fd > 2 && isInherited(fd)) found.push(fd)
  }
  const highest = Math.max(0, ...found)
  if (highest > HIGHEST)
    throw new CountersignError('CS_SANDBOX', `descriptor ${highest} cannot be closed; start countersign without it`)
  return found
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1]
    return (Number.parseInt(flags ?? '0', 8) & CLOSE_ON_EXEC) === 0
  } catch {
    // Closed by now: it was the one that listed the folder.
    return false
  }
}
