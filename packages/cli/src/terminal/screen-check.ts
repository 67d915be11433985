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
