import { type SafeText, safeText } from '@countersign/core'
import type { ChatCommand } from '../transcript/source.ts'

/** A slash command, as listed. */
export type NamedCommand = Pick<ChatCommand, 'name' | 'takes' | 'does'>

/** Commands that the screen handles itself. */
export const SCREEN_COMMANDS: readonly NamedCommand[] = [
  { name: 'help', does: 'show this list' },
  { name: 'grants', does: 'show and revoke grants' },
  { name: 'quit', does: 'quit (or press Ctrl-C twice)' },
]

/** Reads a slash command and its argument; null for other text. `//` starts a message with a slash. */
export function readSlash(text: string): { readonly name: string; readonly rest: string } | null {
  const found = /^\/([a-z]*)(?:\s+|$)/.exec(text)
  return found === null ? null : { name: found[1] ?? '', rest: text.slice(found[0].length).trim() }
}

/** Commands that start with the typed text. */
export function matchingCommands(text: string, commands: readonly NamedCommand[]): readonly NamedCommand[] {
  return /^\/[a-z]*$/.test(text) ? commands.filter(({ name }) => name.startsWith(text.slice(1))) : []
}

/** The help as lines. */
export function helpText(commands: readonly NamedCommand[]): readonly SafeText[] {
  const names = commands.map(({ name, takes }) => `/${name}${takes === undefined ? '' : ` ${takes}`}`)
  const width = Math.max(16, ...names.map((name) => name.length)) + 2
  return [
    ...commands.map(({ does }, at) => safeText(`${names[at]?.padEnd(width) ?? ''}${does}`)),
    safeText('Enter send · \\ Enter or Alt-Enter new line · ↑ previous messages'),
    safeText('Ctrl-C withdraw held calls and stop running ones · on a card, ? lists its keys'),
  ]
}
