/** Headers whose values a client keeps in its environment: the gate reads them from there, so no file holds them. */
import type { Json, JsonObject } from '@countersign/core'
import { isJsonObject } from '@countersign/core'

/** The keys by which a client names these variables. */
export interface VariableMembers {
  /** The variable with a bearer token. */
  readonly bearer: string
  /** A map from header to variable. */
  readonly headers: string
  /** The variables that the client passes on to a program. */
  readonly passedOn: string
}

/** The flag of `countersign mcp` for a header from a variable: `Name: VARIABLE` or `Name: Scheme VARIABLE`. */
export const HEADER_ENV = '--header-env'

const BEARER = 'Authorization: Bearer '
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,255}$/

/** The values of `--header-env` for a server; null when the client's settings have an unknown form. */
export function variableHeaders(data: JsonObject, { bearer, headers }: VariableMembers): readonly string[] | null {
  const token = data[bearer]
  const given = data[headers] ?? {}
  if ((token !== undefined && !isVariable(token)) || !isJsonObject(given)) return null
  const rows = Object.entries(given)
  if (rows.some(([name, variable]) => !/^[!#-'*+\-.^-z|~0-9A-Z]+$/.test(name) || !isVariable(variable))) return null
  return [...(token === undefined ? [] : [`${BEARER}${token}`]), ...rows.map(([name, value]) => `${name}: ${value}`)]
}

/** The inverse: the client's settings for these values. */
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

/** The values of `--header-env` in a list of flags. */
export function headerEnvIn(flags: readonly string[]): readonly string[] {
  return flags.flatMap((word, at) => {
    if (word.startsWith(`${HEADER_ENV}=`)) return [word.slice(HEADER_ENV.length + 1)]
    return flags[at - 1] === HEADER_ENV ? [word] : []
  })
}

function isVariable(value: Json): value is string {
  return typeof value === 'string' && VARIABLE.test(value)
}
