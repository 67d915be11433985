import type { Json, JsonObject } from '@countersign/core'
import { isPlainAddress } from '../covered-words.ts'
import { isObject } from '../json-value.ts'
import type { ClientShape } from './client-table.ts'
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
  spelledTexts,
} from './config-text.ts'
import { OUR_COMMANDS } from './gate-line.ts'
import { placeProblem, wordsOf } from './server-words.ts'
import { HEADERS_VARIABLE, headersText, type Inner, URL_VARIABLE } from './wrapped-line.ts'

/** What becomes of one server. */
export type EntryFate =
  | { readonly kind: 'edit'; readonly edits: readonly Edit[]; readonly data: JsonObject; readonly inner: Inner }
  | { readonly kind: 'left'; readonly why: string }

const left = (why: string): EntryFate => ({ kind: 'left', why })

/** Members of a server that is signed in to by its client: behind the gate the client no longer sees it. */
const SIGN_IN = ['oauth', 'auth', 'authorization', 'authProviderType', 'headersHelper']

/** Members that name variables of the client's own environment: it does not hand those on to a program that it starts. */
const CLIENT_VARIABLES = ['bearer_token_env_var', 'env_http_headers']

/** How a server of a client's configuration goes behind the gate. `line` gives the words that start it there. */
export function wrapEntry(
  entry: ServerEntry,
  text: string,
  shape: ClientShape,
  line: (inner: Inner) => readonly string[],
): EntryFate {
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
  const ours = line(inner)
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

function wrapAddress(
  entry: ServerEntry,
  text: string,
  shape: ClientShape,
  line: (inner: Inner) => readonly string[],
): EntryFate {
  const { data } = entry
  const key = shape.url.find((one) => data[one] !== undefined)
  const address = key === undefined ? undefined : data[key]
  if (key === undefined || typeof address !== 'string') return left('it has neither a command nor an address')
  if (transportOf(data, key, shape) === 'sse')
    return left('its transport is the old SSE, which the proxy does not speak')
  const signed = SIGN_IN.find((member) => data[member] !== undefined)
  if (signed !== undefined) return left(`its client signs in to it (\`${signed}\`), which only the client can do`)
  const variable = CLIENT_VARIABLES.find((member) => data[member] !== undefined)
  if (variable !== undefined)
    return left(
      `its \`${variable}\` names a variable that only its client has: the gate would be started without it, and the value itself is not ours to write into a file`,
    )
  if (hasCredentials(address)) return left('its address holds a name or a password; move them to a header first')
  const url = memberOf(entry, key)
  const type = memberOf(entry, 'type')
  const headers = memberOf(entry, shape.headers)
  if (url === undefined || (data[shape.headers] !== undefined && headers === undefined))
    return left('it is spelled in a way that cannot be edited safely')
  if (type !== undefined && shape.stdio === null) return left('its `type` is not one this client documents')
  const { [key]: _, [shape.headers]: given, ...others } = data
  const told = given === undefined ? null : isTextMap(given) ? headersText(given) : null
  if (given !== undefined && told === null) return left('its headers are in a form that is not known here')
  // What may be a secret is no argument: those every user of the machine can read.
  const variables = {
    ...(isPlainAddress(address) ? {} : { [URL_VARIABLE]: address }),
    ...(told === null ? {} : { [HEADERS_VARIABLE]: told }),
  }
  const hasVariables = Object.keys(variables).length > 0
  if (hasVariables && data[shape.env] !== undefined)
    return left('it has an environment beside headers or an address that may be secret; move them together by hand')
  const inner = { url: address }
  const [program = '', ...rest] = line(inner)
  const members: readonly (readonly [string, Json, string])[] = [
    ...startMembers(shape, program, rest),
    ...(hasVariables && headers === undefined ? [[shape.env, variables, spelledTexts(entry, variables)] as const] : []),
  ]
  const spelling = members.map(([name, , value]) => spelled(entry, name, value)).join(separator(text, entry, url))
  const edits: Edit[] = [{ start: url.keySpan.start, end: url.value.end, text: spelling }]
  const after: { [key: string]: Json } = { ...others, ...Object.fromEntries(members) }
  if (type !== undefined && shape.stdio !== null) {
    edits.push({ ...type.value, text: quoted(shape.stdio) })
    after['type'] = shape.stdio
  }
  if (headers !== undefined) {
    const span = { start: headers.keySpan.start, end: headers.value.end }
    edits.push({ ...span, text: spelled(entry, shape.env, spelledTexts(entry, variables)) })
    after[shape.env] = variables
  }
  return { kind: 'edit', edits, data: after, inner }
}

/** The members that start a program: their key, what they are, and how they are spelled. */
function startMembers(
  shape: ClientShape,
  program: string,
  rest: readonly string[],
): readonly (readonly [string, Json, string])[] {
  if (shape.command === 'words') return [['command', [program, ...rest], quotedList([program, ...rest])]]
  return [
    ['command', program, quoted(program)],
    ['args', rest, quotedList(rest)],
  ]
}

function hasCredentials(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && (url.username !== '' || url.password !== '')
}

function transportOf(data: JsonObject, key: string, shape: ClientShape): 'http' | 'sse' {
  const { type } = data
  if (typeof type === 'string') return shape.httpTypes.includes(type) ? 'http' : 'sse'
  return key === 'httpUrl' ? 'http' : shape.untyped
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

function isTextMap(value: Json): value is { readonly [key: string]: string } {
  return isObject(value) && Object.values(value).every((item) => typeof item === 'string')
}
