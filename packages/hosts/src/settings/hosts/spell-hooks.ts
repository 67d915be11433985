import type { JsonObject } from '@countersign/core'
import type { InstalledEvent } from '../../contract/host-contract.ts'
import type { HostName } from '../../contract/host-name.ts'
import { type HookPlace, patienceOf, type SpelledHook } from './hook-files.ts'
import { inPosixShell } from './hook-line.ts'
import { isAtLeast } from './version.ts'

/** The first Claude Code that can refuse a tool when its hook fails. */
const CLAUDE_CODE_BLOCKS = '2.1.295'

/**
 * The hooks of an agent in its own spelling, with every setting of its version that refuses a tool when the hook fails, and none
 * that it would not read. No matcher: it covers every tool.
 */
export function spellHooks(host: HostName, place: HookPlace): readonly SpelledHook[] {
  return place.events.map((event) => ({ event: event.name, handler: spell(host, event, place) }))
}

function spell(host: HostName, event: InstalledEvent, place: HookPlace): JsonObject {
  const { line, version } = place
  const timeout = patienceOf(event, place)
  const command = { type: 'command', command: line(event) }
  switch (host) {
    case 'claude-code': {
      const blocks = event.kind === 'before' && version !== null && isAtLeast(version, CLAUDE_CODE_BLOCKS)
      return { ...command, timeout, ...(blocks ? { onFailure: 'block' } : {}) }
    }
    case 'gemini-cli':
      return { ...command, timeout: timeout * 1000 }
    case 'copilot':
      return { type: 'command', bash: line(event), timeoutSec: timeout }
    case 'cursor':
      return {
        ...inOwnShell(line(event)),
        type: 'command',
        timeout,
        ...(event.kind === 'before' ? { failClosed: true } : {}),
      }
    // They run hooks in the person's shell.
    case 'codex':
    case 'vscode':
      return { type: 'command', ...inOwnShell(line(event)), timeout }
    default:
      return { ...command, timeout }
  }
}

function inOwnShell(line: string): { readonly command: string } {
  return { command: inPosixShell(line) }
}
