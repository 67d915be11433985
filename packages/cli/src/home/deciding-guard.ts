import { isDecidingSubcommand } from '@countersign/core'
import type { Command } from 'commander'
import type { Io } from '../terminal/io.ts'

/**
 * Refuses a command that decides when it runs inside a gated call. INVARIANT: L8, whoever asks can never approve. The
 * other commands don't load the code that looks for that call.
 */
export async function refuseDecidingInside(command: Command, io: Io): Promise<void> {
  if (!isDecidingSubcommand(pathOf(command))) return
  const { refuseInside } = await import('./nested-call-guard.ts')
  refuseInside(io)
}

/** The words of a command after `countersign`: `grants revoke`. */
export function pathOf(command: Command): string {
  const names: string[] = []
  for (let at: Command | null = command; at?.parent != null; at = at.parent) names.unshift(at.name())
  return names.join(' ')
}
