/** Headers whose values a client has in variables of its own environment: the gate takes them from there, and no file holds them. */
import type { Json, JsonObject } from '@countersign/core'
import { isObject } from '../../json/value.ts'

/** The members by which a client names such variables. */
export interface VariableMembers {
  /** One variable, whose value is sent as a bearer token. */
  readonly bearer: string
  /** Headers, and for each the variable that holds its value. */
  readonly headers: string
  /** The variables that it hands on to a program it starts. */
  readonly handedOn: string
}

/** The flag of `countersign mcp` that takes a header from a variable, as `Name: VARIABLE` or `Name: Scheme VARIABLE`. */
export const HEADER_ENV = '--header-env'

const BEARER = 'Authorization: Bearer '
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,255}$/

/** What `--header-env` says for a server; null where its client's words are in a form that is not known here. */
export function variableHeaders(data: JsonObject, { bearer, headers }: VariableMembers): readonly string[] | null {
  const token = data[bearer]
  const given = data[headers] ?? {}
  if ((token !== undefined && !isVariable(token)) || !isObject(given)) return null
  const rows = Object.entries(given)
  if (rows.some(([name, variable]) => !/^[!#-'*+\-.^-z|~0-9A-Z]+$/.test(name) || !isVariable(variable))) return null
  return [...(token === undefined ? [] : [`${BEARER}${token}`]), ...rows.map(([name, value]) => `${name}: ${value}`)]
}

/** The members that say the same to the client. */
export function variableMembers(texts: readonly string[], { bearer, headers }: VariableMembers): JsonObject {
  const token = texts.find((text) => text.startsWith(BEARER))
  const rows = texts
    .filter((text) => text !== token)
    .map((text) => [text.slice(0, text.indexOf(':')), variableIn(text)])
  return {
    ...(token === undefined ? {} : { [bearer]: variableIn(token) }),
    ...(rows.length === 0 ? {} : { [headers]: Object.fromEntries(rows) }),
  }
}

/** The name of the variable: the last word. */
export function variableIn(text: string): string {
  return text.slice(Math.max(text.lastIndexOf(' '), text.indexOf(':')) + 1)
}

/** What a line gives for `--header-env`. */
export function headerEnvIn(flags: readonly string[]): readonly string[] {
  return flags.flatMap((word, at) => {
    if (word.startsWith(`${HEADER_ENV}=`)) return [word.slice(HEADER_ENV.length + 1)]
    return flags[at - 1] === HEADER_ENV ? [word] : []
  })
}

function isVariable(value: Json): value is string {
  return typeof value === 'string' && VARIABLE.test(value)
}
