import { type SafeText, safeText } from '@countersign/core'
import type { ChatCommand } from '../transcript/source.ts'

/** A slash command as it is listed: those of the screen and those of the source. */
export type NamedCommand = Pick<ChatCommand, 'name' | 'takes' | 'does'>

/** What the screen does by itself. */
export const SCREEN_COMMANDS: readonly NamedCommand[] = [
  { name: 'help', does: 'this list' },
  { name: 'grants', does: 'standing permissions, and taking one back' },
  { name: 'quit', does: 'leave; so does Ctrl-C twice' },
]

/** The command and what follows it; null for a text that is none. `//` begins a text with a slash. */
export function readSlash(text: string): { readonly name: string; readonly rest: string } | null {
  const found = /^\/([a-z]*)(?:\s+|$)/.exec(text)
  return found === null ? null : { name: found[1] ?? '', rest: text.slice(found[0].length).trim() }
}

/** Commands that begin like what is written. */
export function fitting(text: string, commands: readonly NamedCommand[]): readonly NamedCommand[] {
  return /^\/[a-z]*$/.test(text) ? commands.filter(({ name }) => name.startsWith(text.slice(1))) : []
}

/** The help as lines. */
export function helpText(commands: readonly NamedCommand[]): readonly SafeText[] {
  return [
    ...commands.map(({ name, takes, does }) =>
      safeText(`/${name}${takes === undefined ? '' : ` ${takes}`}`.padEnd(18) + does),
    ),
    safeText('Enter sends · \\ Enter or Alt-Enter begins a new line · ↑ what you said before'),
    safeText('Ctrl-C withdraws what is held and stops what runs · on a card ? lists its keys'),
  ]
}
