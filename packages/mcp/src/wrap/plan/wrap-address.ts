import type { Json, JsonObject } from '@countersign/core'
import { isPlainAddress } from '../../identity/redacted-command.ts'
import { isObject } from '../../json/value.ts'
import type { ClientShape } from '../config/clients.ts'
import { HEADER_ENV, variableHeaders, variableIn } from '../config/header-variables.ts'
import {
  type Edit,
  type Member,
  memberOf,
  quoted,
  quotedList,
  type ServerEntry,
  separator,
  spelled,
  spelledTexts,
} from '../config/text.ts'
import { HEADERS_VARIABLE, headersText, URL_VARIABLE } from '../entry/command-line.ts'
import { isFilledIn } from '../entry/command-line-parser.ts'
import { type EntryFate, left } from '../entry/edit-result.ts'
import type { Line } from './wrap-entry.ts'

/** Members of a server that is signed in to by its client: behind the gate the client no longer sees it. */
const SIGN_IN = [
  'oauth',
  'oauth_resource',
  'auth',
  'authorization',
  'authProviderType',
  'headersHelper',
  'http_headers_helper',
]

/** Members that name variables of a client's own environment. Where it hands none on to a program, they stay the client's. */
const CLIENT_VARIABLES = ['bearer_token_env_var', 'env_http_headers']

/** How a server that has an address goes behind the gate: it becomes a program. */
export function wrapAddress(entry: ServerEntry, text: string, shape: ClientShape, line: Line): EntryFate {
  const { data } = entry
  const key = shape.url.find((one) => data[one] !== undefined)
  const address = key === undefined ? undefined : data[key]
  if (key === undefined || typeof address !== 'string') return left('it has neither a command nor an address')
  const transport = data['type'] ?? data['transport']
  if (typeof transport === 'string' && !shape.httpTypes.includes(transport))
    return left(`its transport is \`${transport}\`, which the proxy does not speak`)
  const signed = SIGN_IN.find((member) => data[member] !== undefined)
  if (signed !== undefined) return left(`its client signs in to it (\`${signed}\`), which only the client can do`)
  const named = shape.variables === null ? [] : variableHeaders(data, shape.variables)
  const variable = CLIENT_VARIABLES.find((member) => data[member] !== undefined)
  if (named === null) return left(`its \`${variable}\` is in a form that is not known here`)
  if (variable !== undefined && shape.variables === null)
    return left(
      `its \`${variable}\` names a variable that only its client has: the gate would be started without it, and the value itself is not ours to write into a file`,
    )
  if (!isWebAddress(address))
    return left('its address begins with neither `http://` nor `https://`, which is all that the proxy speaks')
  if (hasCredentials(address)) return left('its address holds a name or a password; move them to a header first')
  const url = memberOf(entry, key)
  const kind = data['type'] === undefined ? 'transport' : 'type'
  const type = memberOf(entry, kind)
  const headers = memberOf(entry, shape.headers)
  if (url === undefined || (data[shape.headers] !== undefined && headers === undefined))
    return left('it is spelled in a way that cannot be edited safely')
  if (type !== undefined && shape.stdio === null) return left('its `type` is not one this client documents')
  const handed = handOn(entry, named, shape)
  if (handed === null) return left('it is spelled in a way that cannot be edited safely')
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
  const [program = '', ...rest] = line(
    inner,
    named.flatMap((text) => [HEADER_ENV, text]),
  )
  const members: readonly (readonly [string, Json, string])[] = [
    ...startMembers(shape, program, rest),
    ...(hasVariables && headers === undefined ? [[shape.env, variables, spelledTexts(entry, variables)] as const] : []),
  ]
  const { spare } = handed
  const isSpared = ([name]: (typeof members)[number]): boolean => spare !== undefined && name === 'args'
  const spell = (some: typeof members): string =>
    some.map(([name, , value]) => spelled(entry, name, value)).join(separator(text, entry, url))
  const edits: Edit[] = [
    { ...whole(url), text: spell(members.filter((member) => !isSpared(member))) },
    ...handed.edits,
    ...(spare === undefined ? [] : [{ ...whole(spare), text: spell(members.filter(isSpared)) }]),
  ]
  const after: { [key: string]: Json } = { ...others, ...Object.fromEntries(members), ...handed.data }
  for (const member of handed.gone) delete after[member]
  if (type !== undefined && shape.stdio !== null) {
    edits.push({ ...type.value, text: quoted(shape.stdio) })
    after[kind] = shape.stdio
  }
  if (headers !== undefined) {
    edits.push({ ...whole(headers), text: spelled(entry, shape.env, spelledTexts(entry, variables)) })
    after[shape.env] = variables
  }
  return { kind: 'edit', edits, data: after, inner }
}

/** Has the client hand on the variables that hold headers, in the place of the members that named them; null where it cannot. */
function handOn(entry: ServerEntry, named: readonly string[], { variables }: ClientShape): HandedOn | null {
  if (variables === null || named.length === 0) return { edits: [], data: {}, gone: [], spare: undefined }
  const gone = [variables.bearer, variables.headers].filter((key) => entry.data[key] !== undefined)
  const [first, second] = gone.flatMap((key) => memberOf(entry, key) ?? [])
  if (first === undefined || (gone.length > 1 && second === undefined)) return null
  if (entry.data[variables.handedOn] !== undefined) return null
  const names = named.map(variableIn)
  const edit = { ...whole(first), text: spelled(entry, variables.handedOn, quotedList(names)) }
  return { edits: [edit], data: { [variables.handedOn]: names }, gone, spare: second }
}

interface HandedOn {
  readonly edits: readonly Edit[]
  readonly data: JsonObject
  /** The members that are no longer there. */
  readonly gone: readonly string[]
  /** One of them that has no successor yet. What stands first and last in a server is what its text is known by. */
  readonly spare: Member | undefined
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

/** As far as it can be told: what a client fills in may be all of it. */
function isWebAddress(address: string): boolean {
  const scheme = /^[a-z][a-z\d+.-]*(?=:)/i.exec(address)?.[0].toLowerCase()
  if (scheme === undefined) return isFilledIn(address)
  return (scheme === 'http' || scheme === 'https') && (isFilledIn(address) || URL.canParse(address))
}

function hasCredentials(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** A member from its key to the end of its value. */
function whole(member: Member): { readonly start: number; readonly end: number } {
  return { start: member.keySpan.start, end: member.value.end }
}

function isTextMap(value: Json): value is { readonly [key: string]: string } {
  return isObject(value) && Object.values(value).every((item) => typeof item === 'string')
}
