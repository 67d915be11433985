import { CountersignError, safeText } from '@countersign/core'
import { HEADERS_VARIABLE, readHeaders } from '@countersign/mcp'
import type { Io } from '../../terminal/io.ts'

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/

/** The headers of every request: from the environment, overridden by `--header-env`, then by `--header`. */
export function serverHeaders(
  fromOption: readonly string[],
  io: Io,
  fromEnv: readonly string[] = [],
): { readonly [name: string]: string } {
  const headers: Record<string, string> = {}
  const all = [
    ...Object.entries(readHeaders(io.env[HEADERS_VARIABLE])),
    ...fromEnv.map((text) => headerFrom(text, io)),
    ...fromOption.map((text) => headerOf(text, '`--header` must be `Name: value`')),
  ]
  for (const [name, value] of all) {
    if (!NAME.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new CountersignError('CS_USAGE', `\`${safeText(name)}\` cannot be a header; use \`Name: value\``)
    headers[name.toLowerCase()] = value
  }
  return headers
}

function headerOf(text: string, usage: string): readonly [string, string] {
  const cut = text.indexOf(':')
  if (cut < 1) throw new CountersignError('CS_USAGE', usage)
  return [text.slice(0, cut).trim(), text.slice(cut + 1).trim()]
}

/** Replaces the last word, the name of a variable, with its value. INVARIANT: L3, an unset variable is refused. */
function headerFrom(text: string, io: Io): readonly [string, string] {
  const usage = '`--header-env` must be `Name: VARIABLE` or `Name: Scheme VARIABLE`'
  const [name, value] = headerOf(text, usage)
  const [, scheme = '', variable = ''] = /^(?:(\S+) )?([A-Za-z_][A-Za-z0-9_]*)$/.exec(value) ?? []
  if (variable === '') throw new CountersignError('CS_USAGE', usage)
  const secret = io.env[variable]?.trim() ?? ''
  if (secret === '')
    throw new CountersignError(
      'CS_USAGE',
      `the variable \`${variable}\` for the header \`${safeText(name)}\` is not set; set it in the client’s environment`,
    )
  return [name, scheme === '' ? secret : `${scheme} ${secret}`]
}
