import { closeSync, openSync } from 'node:fs'
import type { Io } from './io.ts'

/**
 * Whether there is a terminal to draw on, and to read keys from: streams may be joined to one that is not this session's
 * (`setsid`), which then has no `/dev/tty`.
 */
export function hasScreen({ isTty, env }: Io): boolean {
  return isTty.stdin && isTty.stdout && env['TERM'] !== 'dumb' && hasKeyboard()
}

function hasKeyboard(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'))
    return true
  } catch {
    return false
  }
}

/** Ink, React and what is drawn with them: loaded only where a person sits, as no other subcommand needs them. */
export async function loadTerminal(): Promise<typeof import('@countersign/terminal')> {
  // React reads it as it is loaded; its checks for developers would cost every key press.
  process.env['NODE_ENV'] ??= 'production'
  return import('@countersign/terminal')
}
