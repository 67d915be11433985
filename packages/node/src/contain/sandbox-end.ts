import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Killing processes takes the kernel a moment; one that it can't end at once, such as in a slow disk, isn't waited for. */
const PATIENCE_MS = 2_000

/**
 * Waits until the first process of a sandbox has ended. The kernel ends all others before it, but bubblewrap itself can end
 * earlier: what they write until then would not be noticed as a change of this command.
 */
export async function sandboxEnd(firstPid: number | undefined): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (firstPid !== undefined && isRunning(firstPid) && performance.now() < until) await pause(1)
}

function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}
