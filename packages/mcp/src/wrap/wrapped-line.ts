/** The words that start a gated server in a client's configuration, and how to read them back. */
import type { Json } from '@countersign/core'
import { isPlainAddress } from '../covered-words.ts'
import { isObject } from '../pins/tool-definition.ts'

/** The variable that holds a wrapped server's headers: one `Name: value` a line, so that no secret is an argument. */
export const HEADERS_VARIABLE = 'COUNTERSIGN_MCP_HEADERS'

/** The variable that holds a wrapped server's address, where that may be a secret itself. */
export const URL_VARIABLE = 'COUNTERSIGN_MCP_URL'

/** What a wrapped server was before. */
export type Inner = { readonly command: readonly string[] } | { readonly url: string }

export interface WrappedLine {
  /** How many words are ours: from the program to the one before the server's own. */
  readonly ours: number
  readonly label: string | null
  readonly inner: Inner
}

/** The program that stands for Countersign, in any of the ways it is started. */
const OURS = /(?:^|\/)(?:countersign(?:\.js|@[\w.-]+)?|entry\.ts)$/

/** The words that put a server behind the gate. */
export function wrapLine(
  launcher: readonly string[],
  options: { readonly label: string; readonly home: string | undefined; readonly flags: readonly string[] },
  inner: Inner,
): readonly string[] {
  const words = [...launcher, 'mcp', '--name', options.label]
  if (options.home !== undefined) words.push('--home', options.home)
  words.push(...options.flags)
  if ('command' in inner) return [...words, '--', ...inner.command]
  return isPlainAddress(inner.url) ? [...words, '--url', inner.url] : words
}

/** Reads the words back; null when they do not start a gated server. `env`: the variables they are started with. */
export function readWrapped(words: readonly string[], env?: Json): WrappedLine | null {
  const at = words.findIndex((word, index) => word === 'mcp' && OURS.test(words[index - 1] ?? ''))
  if (at === -1 || at > 6) return null
  const end = words.indexOf('--', at)
  const flags = end === -1 ? words.slice(at + 1) : words.slice(at + 1, end)
  const label = after(flags, '--name')
  if (end !== -1 && end + 1 < words.length) return { ours: end + 1, label, inner: { command: words.slice(end + 1) } }
  const kept = isObject(env) ? env[URL_VARIABLE] : undefined
  const url = after(flags, '--url') ?? (typeof kept === 'string' ? kept : null)
  return url === null ? null : { ours: words.length, label, inner: { url } }
}

function after(words: readonly string[], flag: string): string | null {
  const at = words.indexOf(flag)
  return at === -1 ? null : (words[at + 1] ?? null)
}

/** Headers as the text of the variable; null for one that cannot be a line. */
export function headersText(headers: { readonly [name: string]: string }): string | null {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return lines.some((line) => /[\r\n]/.test(line)) ? null : lines.join('\n')
}

/** The headers that the variable holds, for the proxy that sends them. */
export function readHeaders(text: string | undefined): { readonly [name: string]: string } {
  const lines = (text ?? '').split('\n').filter((line) => line.includes(':'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}
