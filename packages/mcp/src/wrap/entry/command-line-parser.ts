/** How the words of a gated server are read back. */
import type { Json } from '@countersign/core'
import { isObject } from '../../json/value.ts'
import { HEADER_ENV } from '../config/header-variables.ts'
import { type Inner, URL_VARIABLE } from './command-line.ts'
import type { Launcher } from './installation.ts'

/** A line that starts a server behind the gate. */
export interface GateLine {
  readonly launcher: Launcher
  /** How many words are ours: from the program to the one before the server's own. */
  readonly ours: number
  readonly label: string | null
  /** `--home`; null where it is the account's own. */
  readonly home: string | null
  /** Our words between `mcp` and the server's. */
  readonly flags: readonly string[]
  readonly inner: Inner
}

/** Flags of `countersign mcp` that take a word. One that is not here makes a line none that we know. */
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
])
export const SWITCHES: ReadonlySet<string> = new Set(['--json', '--no-color'])

/** Those that may stand before `mcp`, too. */
const EVERYWHERE: ReadonlySet<string> = new Set(['--home'])

/** Where a server would stand the command line takes these for commands of its own, also after `--`. */
export const OUR_COMMANDS: ReadonlySet<string> = new Set([
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
 * Reads a command line that begins with these very words; null when it does not, or does not start a gated server.
 * `env`: the variables it is started with. SECURITY: A1 it is read as the command line itself reads it.
 */
export function readGateLine(words: readonly string[], launcher: Launcher, env?: Json): GateLine | null {
  if (launcher.length === 0 || launcher.some((word, at) => words[at] !== word)) return null
  const before = readFlags(words, launcher.length, EVERYWHERE)
  if (before === null || words[before.end] !== 'mcp') return null
  const start = before.end + 1
  const after = readFlags(words, start, VALUE_FLAGS)
  if (after === null) return null
  const given = new Map([...before.given, ...after.given])
  const ours = words[after.end] === '--' ? after.end + 1 : after.end
  const command = words.slice(ours)
  const kept = isObject(env) ? env[URL_VARIABLE] : undefined
  const url = given.get('--url') ?? (command.length === 0 && typeof kept === 'string' ? kept : undefined)
  const about = { launcher, ours, label: given.get('--name') ?? null, home: given.get('--home') ?? null }
  const line = { ...about, flags: words.slice(start, after.end) }
  // Without `--name` the server's words are its name.
  if (line.label === null && (url === undefined ? command : [url]).some(isFilledIn)) return null
  if (command.length === 0) return url === undefined ? null : { ...line, inner: { url } }
  return url !== undefined || OUR_COMMANDS.has(command[0] ?? '') ? null : { ...line, inner: { command } }
}

/** Those whose value says which gate it is, and whose. */
const TELLING: ReadonlySet<string> = new Set(['--home', '--name'])

/**
 * Whether a client would put something else in the place of a word, or of a part of it: `${NAME:-…}`, `$NAME`, `{env:NAME}`,
 * `{file:path}`. SECURITY: A1 what that is only the client knows: it may be a flag of ours.
 */
export function isFilledIn(word: string): boolean {
  return /\$[\w{]|\{(?:env|file):/.test(word)
}

/** Flags up to the first word that is none; null at one that is not known. */
function readFlags(words: readonly string[], from: number, known: ReadonlySet<string>) {
  const given = new Map<string, string>()
  let end = from
  for (; end < words.length; end++) {
    const word = words[end] ?? ''
    if (word === '--') break
    if (!word.startsWith('-')) {
      if (isFilledIn(word)) return null
      break
    }
    const cut = word.startsWith('--') ? word.indexOf('=') : -1
    const flag = cut === -1 ? word : word.slice(0, cut)
    if (cut === -1 && SWITCHES.has(flag)) continue
    const value = cut === -1 ? words[++end] : word.slice(cut + 1)
    if (!known.has(flag) || value === undefined) return null
    if (TELLING.has(flag) && isFilledIn(value)) return null
    given.set(flag, value)
  }
  return { given, end }
}

const LIKE_OURS = /(?:^|[/\\])countersign(?:\.[cm]?js|\.cmd|@[\w.-]+)?$/

/** Whether a command line looks as if it started a gated server, whatever it does. */
export function looksGated(words: readonly string[]): boolean {
  const program = words.findIndex((word) => LIKE_OURS.test(word))
  return program !== -1 && words.includes('mcp', program)
}
