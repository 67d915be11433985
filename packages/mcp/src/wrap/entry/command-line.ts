/** The words that start a gated server in a client's configuration. */
import { isPlainAddress } from '../../identity/redacted-command.ts'
import type { Launcher } from './installation.ts'

/** The variable that holds a wrapped server's headers: one `Name: value` a line, so that no secret is an argument. */
export const HEADERS_VARIABLE = 'COUNTERSIGN_MCP_HEADERS'

/** The variable that holds a wrapped server's address, where that may be a secret itself. */
export const URL_VARIABLE = 'COUNTERSIGN_MCP_URL'

/** What a wrapped server was before. */
export type Inner = { readonly command: readonly string[] } | { readonly url: string }

/** The words that put a server behind the gate. */
export function wrapLine(
  launcher: Launcher,
  options: { readonly label: string; readonly home: string | undefined; readonly flags: readonly string[] },
  inner: Inner,
): readonly string[] {
  const words = [...launcher, 'mcp', '--name', options.label]
  if (options.home !== undefined) words.push('--home', options.home)
  words.push(...options.flags)
  if ('command' in inner) return [...words, '--', ...inner.command]
  return isPlainAddress(inner.url) ? [...words, '--url', inner.url] : words
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
