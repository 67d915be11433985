import { closeSync, openSync } from 'node:fs'
import type { Io } from './io.ts'

/**
 * Whether there is a terminal to draw on and to read keys from. The streams may be a terminal of another session
 * (`setsid`), which has no `/dev/tty`.
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

/** Loads Ink and React, which only interactive screens need. */
export async function loadTerminal(): Promise<typeof import('@countersign/terminal')> {
  // Must be set before React is loaded; its development checks slow down every key press.
  process.env['NODE_ENV'] ??= 'production'
  return import('@countersign/terminal')
}
