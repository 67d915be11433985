import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile, systemCode } from '@countersign/node'
import type { HostName } from '../contract/host-name.ts'

/** Where a person is asked about a coding agent's calls. */
export type Asking =
  /** In the terminal queue, the inbox, on the phone: the hook waits. */
  | 'desk'
  /** In the agent's own prompt where policy allows it, otherwise at the desk. */
  | 'host'

/** What `countersign init` chose for one coding agent. Kept in the home, where the agent can't change it. */
export interface HostSetup {
  /** SHA-256 of the token in the agent's hook command line. */
  readonly tokenHash: string
  /** The agent works only below one of these folders; empty for any folder of a project. */
  readonly within: readonly string[]
  readonly asking: Asking
}

const FOLDER = 'hosts'
const MAX_BYTES = 64 * 1024

/** The choices for an agent; undefined if `init` never set it up. Throws if the file is damaged. */
export function readHostSetup(home: Home, host: HostName): HostSetup | undefined {
  const path = pathOf(home, host)
  const text = readOwnFile(path, MAX_BYTES, 'CS_HOME')
  if (text === undefined) return undefined
  const setup = parse(text)
  if (setup !== undefined) return setup
  throw new CountersignError('CS_HOME', `\`${path}\` is damaged; run \`countersign init --only ${host}\``)
}

/** Keeps the choices for an agent. */
export function writeHostSetup(home: Home, host: HostName, setup: HostSetup): void {
  openOwnFolder(join(home.dir, FOLDER), 'CS_HOME')
  replaceOwnFile(pathOf(home, host), `${JSON.stringify(setup, null, 2)}\n`)
}

/** Forgets the choices for an agent. */
export function removeHostSetup(home: Home, host: HostName): void {
  try {
    unlinkSync(pathOf(home, host))
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

/** A new token for an agent's hook command line, and its hash to keep. */
export function newHostToken(): { readonly token: string; readonly tokenHash: string } {
  const token = randomBytes(16).toString('hex')
  return { token, tokenHash: hashOf(token) }
}

/** Whether a hook passed the token that `init` wrote. Without it, its session labels are ignored. */
export function isHostToken(token: string | undefined, { tokenHash }: HostSetup): boolean {
  if (token === undefined) return false
  const given = Buffer.from(hashOf(token))
  const kept = Buffer.from(tokenHash)
  return given.length === kept.length && timingSafeEqual(given, kept)
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function pathOf(home: Home, host: HostName): string {
  return join(home.dir, FOLDER, `${host}.json`)
}

function parse(text: string): HostSetup | undefined {
  try {
    const { tokenHash, within, asking } = JSON.parse(text) as Partial<Record<keyof HostSetup, unknown>>
    if (typeof tokenHash !== 'string' || (asking !== 'desk' && asking !== 'host')) return undefined
    if (!Array.isArray(within) || !within.every((one) => typeof one === 'string')) return undefined
    return { tokenHash, within, asking }
  } catch {
    return undefined
  }
}
