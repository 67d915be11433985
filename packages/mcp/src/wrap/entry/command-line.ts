/** The command line of a gated server in a client's configuration: writing it, and reading it back. */

import type { Json } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import { isPlainUrl } from '../../identity/redacted-command.ts'
import type { ServerTarget } from '../../identity/server-identity.ts'
import { HEADER_ENV } from '../config/header-variables.ts'
import type { Launcher } from './installation.ts'

/** The variable with a wrapped server's headers, one `Name: value` per line: arguments would be visible to other users. */
export const HEADERS_VARIABLE = 'COUNTERSIGN_MCP_HEADERS'

/** The variable with a wrapped server's URL, when the URL may contain a secret. */
export const URL_VARIABLE = 'COUNTERSIGN_MCP_URL'

/** The command line that starts a server behind the gate. */
export function wrapLine(
  launcher: Launcher,
  options: { readonly label: string; readonly home: string | undefined; readonly flags: readonly string[] },
  inner: ServerTarget,
): readonly string[] {
  const words = [...launcher, 'mcp', '--name', options.label]
  if (options.home !== undefined) words.push('--home', options.home)
  words.push(...options.flags)
  if ('command' in inner) return [...words, '--', ...inner.command]
  return isPlainUrl(inner.url) ? [...words, '--url', inner.url] : words
}

/** Headers as the value of the variable; null when one does not fit on a line. */
export function headersText(headers: { readonly [name: string]: string }): string | null {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return lines.some((line) => /[\r\n]/.test(line)) ? null : lines.join('\n')
}

/** Parses the value of the variable. */
export function readHeaders(text: string | undefined): { readonly [name: string]: string } {
  const lines = (text ?? '').split('\n').filter((line) => line.includes(':'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}

/** A command line that starts a server behind the gate, parsed. */
export interface GateLine {
  readonly launcher: Launcher
  /** The number of words before the server's own. */
  readonly ours: number
  readonly label: string | null
  /** `--home`; null for the account's default. */
  readonly home: string | null
  /** The flags between `mcp` and the server's words. */
  readonly flags: readonly string[]
  readonly inner: ServerTarget
}

/** Flags of `countersign mcp` with a value. A line with any other flag is not recognized. */
export const VALUE_FLAGS: ReadonlySet<string> = new Set([
  '--name',
  '--home',
  '--hold',
  '--hold-limit',
  '--deny-method',
  '--workspace',
  '--url',
  '--header',
  HEADER_ENV,
  '--listen',
  '--allow-host',
  '--elicit',
  '--write',
  '--read',
  '--network',
  '--credentials',
])
export const SWITCHES: ReadonlySet<string> = new Set(['--json', '--no-color', '--contain', '--read-only'])

/** Flags that may also come before `mcp`. */
const GLOBAL_FLAGS: ReadonlySet<string> = new Set(['--home'])

/** Words that `countersign mcp` reads as a subcommand instead of a server, even after `--`. */
export const SUBCOMMANDS: ReadonlySet<string> = new Set([
  'tools',
  'accept',
  'forget',
  'trust',
  'wrap',
  'unwrap',
  'sign-in',
  'sign-out',
])

/**
 * Parses a command line that begins with these words; null when it does not, or does not start a gated server. `env` is the
 * environment of the server. SECURITY: A1 parsed exactly as the command itself parses it.
 */
export function readGateLine(words: readonly string[], launcher: Launcher, env?: Json): GateLine | null {
  if (launcher.length === 0 || launcher.some((word, at) => words[at] !== word)) return null
  const before = readFlags(words, launcher.length, GLOBAL_FLAGS)
  if (before === null || words[before.end] !== 'mcp') return null
  const start = before.end + 1
  const after = readFlags(words, start, VALUE_FLAGS)
  if (after === null) return null
  const values = new Map([...before.values, ...after.values])
  const ours = words[after.end] === '--' ? after.end + 1 : after.end
  const command = words.slice(ours)
  const urlVariable = isJsonObject(env) ? env[URL_VARIABLE] : undefined
  const url = values.get('--url') ?? (command.length === 0 && typeof urlVariable === 'string' ? urlVariable : undefined)
  const about = { launcher, ours, label: values.get('--name') ?? null, home: values.get('--home') ?? null }
  const line = { ...about, flags: words.slice(start, after.end) }
  // Without `--name` the label comes from the server's words.
  if (line.label === null && (url === undefined ? command : [url]).some(hasPlaceholder)) return null
  if (command.length === 0) return url === undefined ? null : { ...line, inner: { url } }
  return url !== undefined || SUBCOMMANDS.has(command[0] ?? '') ? null : { ...line, inner: { command } }
}

/** Flags whose value identifies the gate. */
const IDENTIFYING: ReadonlySet<string> = new Set(['--home', '--name'])

/**
 * Whether a client would substitute part of a word: `${NAME:-…}`, `$NAME`, `{env:NAME}`, `{file:path}`. SECURITY: A1 only the
 * client knows the result, which may be one of our flags.
 */
export function hasPlaceholder(word: string): boolean {
  return /\$[\w{]|\{(?:env|file):/.test(word)
}

/** The flags up to the first other word; null for an unknown flag. */
function readFlags(words: readonly string[], from: number, known: ReadonlySet<string>) {
  const values = new Map<string, string>()
  let end = from
  for (; end < words.length; end++) {
    const word = words[end] ?? ''
    if (word === '--') break
    if (!word.startsWith('-')) {
      if (hasPlaceholder(word)) return null
      break
    }
    const cut = word.startsWith('--') ? word.indexOf('=') : -1
    const flag = cut === -1 ? word : word.slice(0, cut)
    if (cut === -1 && SWITCHES.has(flag)) continue
    const value = cut === -1 ? words[++end] : word.slice(cut + 1)
    if (!known.has(flag) || value === undefined) return null
    if (IDENTIFYING.has(flag) && hasPlaceholder(value)) return null
    values.set(flag, value)
  }
  return { values, end }
}

const COUNTERSIGN_PROGRAM = /(?:^|[/\\])countersign(?:\.[cm]?js|\.cmd|@[\w.-]+)?$/

/** Whether a command line looks like a gated server, whatever it really starts. */
export function looksGated(words: readonly string[]): boolean {
  const program = words.findIndex((word) => COUNTERSIGN_PROGRAM.test(word))
  return program !== -1 && words.includes('mcp', program)
}
