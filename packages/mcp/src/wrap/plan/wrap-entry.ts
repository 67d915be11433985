import type { ClientShape } from '../config/clients.ts'
import {
  type Edit,
  lastLine,
  type Member,
  memberOf,
  quoted,
  quotedList,
  type ServerEntry,
  separator,
  spelled,
} from '../config/text.ts'
import type { Inner } from '../entry/command-line.ts'
import { OUR_COMMANDS } from '../entry/command-line-parser.ts'
import { type EntryFate, left } from '../entry/edit-result.ts'
import { placeProblem, wordsOf } from '../entry/server-command.ts'
import { wrapAddress } from './wrap-address.ts'

/** How a server is started behind the gate, by its place and more flags that it needs. */
export type Line = (inner: Inner, more: readonly string[]) => readonly string[]

/** How a server of a client's configuration goes behind the gate. `line` gives the words that start it there. */
export function wrapEntry(entry: ServerEntry, text: string, shape: ClientShape, line: Line): EntryFate {
  const { data } = entry
  const problem = placeProblem(data)
  if (problem !== null) return left(problem)
  const words = wordsOf(data)
  if (typeof words === 'string') return left(words)
  if (words === null) return wrapAddress(entry, text, shape, line)
  if (OUR_COMMANDS.has(words[0] ?? ''))
    return left('its program has the name of a command of `countersign mcp`; give its whole path')
  const command = memberOf(entry, 'command')
  if (command === undefined) return left('its command is spelled in a way that cannot be edited safely')
  const inner = { command: words }
  const ours = line(inner, [])
  if (command.items !== null) {
    const edits = [insertItems(text, command, ours.slice(0, ours.length - words.length))]
    return { kind: 'edit', inner, edits, data: { ...data, command: ours } }
  }
  const [program = '', ...rest] = ours
  const args = memberOf(entry, 'args')
  const before = rest.slice(0, rest.length - (words.length - 1))
  const edits = [
    { ...command.value, text: quoted(program) },
    args === undefined
      ? { ...end(command), text: `${separator(text, entry, command)}${spelled(entry, 'args', quotedList(rest))}` }
      : insertItems(text, args, before),
  ]
  return { kind: 'edit', inner, edits, data: { ...data, command: program, args: rest } }
}

/** Puts items before those of a list, spaced as they are. Comments stay where they were. */
function insertItems(text: string, list: Member, items: readonly string[]): Edit {
  const first = list.items?.[0]
  if (first === undefined) {
    const inside = { start: list.value.start + 1, end: list.value.end - 1 }
    const isBlank = /^\s*$/.test(text.slice(inside.start, inside.end))
    return { start: inside.start, end: isBlank ? inside.end : inside.start, text: items.map(quoted).join(', ') }
  }
  const lead = text.slice(list.value.start + 1, first.start)
  const between = /^\s*\n\s*$/.test(lead) ? `,${lastLine(lead)}` : ', '
  return { start: first.start, end: first.start, text: items.map((item) => quoted(item) + between).join('') }
}

function end(member: Member): { readonly start: number; readonly end: number } {
  return { start: member.value.end, end: member.value.end }
}
