import { CountersignError, safeText } from '@countersign/core'
import { HEADERS_VARIABLE, readHeaders } from '@countersign/mcp'
import type { Io } from '../../terminal/io.ts'

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/

/** What goes to a server with every request: from the variable, and over it what `--header-env` and `--header` say. */
export function serverHeaders(
  given: readonly string[],
  io: Io,
  fromEnv: readonly string[] = [],
): { readonly [name: string]: string } {
  const headers: Record<string, string> = {}
  const all = [
    ...Object.entries(readHeaders(io.env[HEADERS_VARIABLE])),
    ...fromEnv.map((text) => headerFrom(text, io)),
    ...given.map((text) => headerOf(text, '`--header` takes `Name: value`')),
  ]
  for (const [name, value] of all) {
    if (!NAME.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new CountersignError('CS_USAGE', `\`${safeText(name)}\` cannot be a header; write \`Name: value\``)
    headers[name.toLowerCase()] = value
  }
  return headers
}

function headerOf(text: string, usage: string): readonly [string, string] {
  const cut = text.indexOf(':')
  if (cut < 1) throw new CountersignError('CS_USAGE', usage)
  return [text.slice(0, cut).trim(), text.slice(cut + 1).trim()]
}

/** The last word is the name of a variable, and its value is sent in its place. INVARIANT: L3, without one nothing is sent. */
function headerFrom(text: string, io: Io): readonly [string, string] {
  const usage = '`--header-env` takes `Name: VARIABLE` or `Name: Scheme VARIABLE`'
  const [name, value] = headerOf(text, usage)
  const [, scheme = '', variable = ''] = /^(?:(\S+) )?([A-Za-z_][A-Za-z0-9_]*)$/.exec(value) ?? []
  if (variable === '') throw new CountersignError('CS_USAGE', usage)
  const held = io.env[variable]?.trim() ?? ''
  if (held === '')
    throw new CountersignError(
      'CS_USAGE',
      `the variable \`${variable}\` for the header \`${safeText(name)}\` is not set; set it where the client is started`,
    )
  return [name, scheme === '' ? held : `${scheme} ${held}`]
}
