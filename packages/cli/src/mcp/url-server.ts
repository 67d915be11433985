import { CountersignError, safeText } from '@countersign/core'
import { HEADERS_VARIABLE, readHeaders } from '@countersign/mcp'
import type { Io } from '../io.ts'

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/

/** What goes to a server with every request: from the variable, and over it what `--header` says. */
export function serverHeaders(given: readonly string[], io: Io): { readonly [name: string]: string } {
  const headers: Record<string, string> = {}
  const all = [...Object.entries(readHeaders(io.env[HEADERS_VARIABLE])), ...given.map(headerOf)]
  for (const [name, value] of all) {
    if (!NAME.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new CountersignError('CS_USAGE', `\`${safeText(name)}\` cannot be a header; write \`Name: value\``)
    headers[name.toLowerCase()] = value
  }
  return headers
}

function headerOf(text: string): readonly [string, string] {
  const cut = text.indexOf(':')
  if (cut < 1) throw new CountersignError('CS_USAGE', '`--header` takes `Name: value`')
  return [text.slice(0, cut).trim(), text.slice(cut + 1).trim()]
}
