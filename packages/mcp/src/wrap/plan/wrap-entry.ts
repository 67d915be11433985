import type { Json, JsonObject } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import { isPlainUrl } from '../../identity/redacted-command.ts'
import type { ServerTarget } from '../../identity/server-identity.ts'
import type { ClientShape } from '../config/clients.ts'
import { HEADER_ENV, variableHeaders, variableIn } from '../config/header-variables.ts'
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
  spelledMap,
} from '../config/text.ts'
import { HEADERS_VARIABLE, hasPlaceholder, headersText, SUBCOMMANDS, URL_VARIABLE } from '../entry/command-line.ts'
import { commandWords, targetProblem } from '../entry/server-target.ts'
import { type EntryEdit, left } from './plan.ts'

/** Builds the command line behind the gate for a target, with the extra flags it needs. */
type Line = (inner: ServerTarget, more: readonly string[]) => readonly string[]

/** Plans how a server goes behind the gate; `line` builds its new command line. */
export function wrapEntry(entry: ServerEntry, text: string, shape: ClientShape, line: Line): EntryEdit {
  const { data } = entry
  const problem = targetProblem(data)
  if (problem !== null) return left(problem)
  const words = commandWords(data)
  if (typeof words === 'string') return left(words)
  if (words === null) return wrapUrl(entry, text, shape, line)
  if (SUBCOMMANDS.has(words[0] ?? ''))
    return left('its program has the name of a `countersign mcp` command; use its full path')
  const command = memberOf(entry, 'command')
  if (command === undefined) return left('the syntax of its command cannot be edited safely')
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

/** Inserts items at the start of a list, with the same spacing; comments stay in place. */
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

/** Settings by which the client itself signs in to a server; behind the gate it cannot. */
const SIGN_IN = [
  'oauth',
  'oauth_resource',
  'auth',
  'authorization',
  'authProviderType',
  'headersHelper',
  'http_headers_helper',
]

/** Settings that name variables of the client's environment. */
const CLIENT_VARIABLES = ['bearer_token_env_var', 'env_http_headers']

/** Plans a server with a URL: its entry becomes a command. */
function wrapUrl(entry: ServerEntry, text: string, shape: ClientShape, line: Line): EntryEdit {
  const { data } = entry
  const key = shape.url.find((one) => data[one] !== undefined)
  const address = key === undefined ? undefined : data[key]
  if (key === undefined || typeof address !== 'string') return left('it has neither a command nor a URL')
  const transport = data['type'] ?? data['transport']
  if (typeof transport === 'string' && !shape.httpTypes.includes(transport))
    return left(`the proxy does not support its transport \`${transport}\``)
  const signed = SIGN_IN.find((member) => data[member] !== undefined)
  if (signed !== undefined) return left(`its client signs in to it (\`${signed}\`), which the proxy cannot do for it`)
  const named = shape.variables === null ? [] : variableHeaders(data, shape.variables)
  const variable = CLIENT_VARIABLES.find((member) => data[member] !== undefined)
  if (named === null) return left(`its \`${variable}\` has an unknown form`)
  if (variable !== undefined && shape.variables === null)
    return left(
      `its \`${variable}\` names a variable that this client does not pass on to programs, and writing the value into a file would expose it`,
    )
  if (!isHttpUrl(address)) return left('its URL begins with neither `http://` nor `https://`')
  if (hasCredentials(address)) return left('its URL contains a user name or a password; move them to a header first')
  const url = memberOf(entry, key)
  const kind = data['type'] === undefined ? 'transport' : 'type'
  const type = memberOf(entry, kind)
  const headers = memberOf(entry, shape.headers)
  if (url === undefined || (data[shape.headers] !== undefined && headers === undefined))
    return left('its syntax cannot be edited safely')
  if (type !== undefined && shape.stdio === null) return left('this client does not document a `type`')
  const passed = passOn(entry, named, shape)
  if (passed === null) return left('its syntax cannot be edited safely')
  const { [key]: _, [shape.headers]: given, ...others } = data
  const told = given === undefined ? null : isStringMap(given) ? headersText(given) : null
  if (given !== undefined && told === null) return left('its headers have an unknown form')
  // Likely secrets go to the environment: every user of the machine can read arguments.
  const variables = {
    ...(isPlainUrl(address) ? {} : { [URL_VARIABLE]: address }),
    ...(told === null ? {} : { [HEADERS_VARIABLE]: told }),
  }
  const hasVariables = Object.keys(variables).length > 0
  if (hasVariables && data[shape.env] !== undefined)
    return left('it has an environment besides headers or a URL that may be secret; combine them by hand')
  const inner = { url: address }
  const [program = '', ...rest] = line(
    inner,
    named.flatMap((text) => [HEADER_ENV, text]),
  )
  const members: readonly (readonly [string, Json, string])[] = [
    ...startMembers(shape, program, rest),
    ...(hasVariables && headers === undefined ? [[shape.env, variables, spelledMap(entry, variables)] as const] : []),
  ]
  const { spare } = passed
  const isSpared = ([name]: (typeof members)[number]): boolean => spare !== undefined && name === 'args'
  const spell = (some: typeof members): string =>
    some.map(([name, , value]) => spelled(entry, name, value)).join(separator(text, entry, url))
  const edits: Edit[] = [
    { ...whole(url), text: spell(members.filter((member) => !isSpared(member))) },
    ...passed.edits,
    ...(spare === undefined ? [] : [{ ...whole(spare), text: spell(members.filter(isSpared)) }]),
  ]
  const after: { [key: string]: Json } = { ...others, ...Object.fromEntries(members), ...passed.data }
  for (const member of passed.gone) delete after[member]
  if (type !== undefined && shape.stdio !== null) {
    edits.push({ ...type.value, text: quoted(shape.stdio) })
    after[kind] = shape.stdio
  }
  if (headers !== undefined) {
    edits.push({ ...whole(headers), text: spelled(entry, shape.env, spelledMap(entry, variables)) })
    after[shape.env] = variables
  }
  return { kind: 'edit', edits, data: after, inner }
}

/** Makes the client pass on the variables with headers, in place of its settings for them; null when it cannot. */
function passOn(entry: ServerEntry, named: readonly string[], { variables }: ClientShape): PassedOn | null {
  if (variables === null || named.length === 0) return { edits: [], data: {}, gone: [], spare: undefined }
  const gone = [variables.bearer, variables.headers].filter((key) => entry.data[key] !== undefined)
  const [first, second] = gone.flatMap((key) => memberOf(entry, key) ?? [])
  if (first === undefined || (gone.length > 1 && second === undefined)) return null
  if (entry.data[variables.passedOn] !== undefined) return null
  const names = named.map(variableIn)
  const edit = { ...whole(first), text: spelled(entry, variables.passedOn, quotedList(names)) }
  return { edits: [edit], data: { [variables.passedOn]: names }, gone, spare: second }
}

interface PassedOn {
  readonly edits: readonly Edit[]
  readonly data: JsonObject
  /** The removed members. */
  readonly gone: readonly string[]
  /** A removed member without a replacement yet; the first and last member delimit the entry's text. */
  readonly spare: Member | undefined
}

/** The members that start a program: key, value and syntax. */
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

/** A URL with placeholders counts if its scheme is HTTP or unknown. */
function isHttpUrl(address: string): boolean {
  const scheme = /^[a-z][a-z\d+.-]*(?=:)/i.exec(address)?.[0].toLowerCase()
  if (scheme === undefined) return hasPlaceholder(address)
  return (scheme === 'http' || scheme === 'https') && (hasPlaceholder(address) || URL.canParse(address))
}

function hasCredentials(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** The range of a member, from its key to the end of its value. */
function whole(member: Member): { readonly start: number; readonly end: number } {
  return { start: member.keySpan.start, end: member.value.end }
}

function isStringMap(value: Json): value is { readonly [key: string]: string } {
  return isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string')
}
