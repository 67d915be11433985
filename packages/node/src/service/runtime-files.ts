import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { createOwnFile, openOwnFolder, readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { keyPath } from '../keys/home-keys.ts'
import { DatabaseSync } from '../system/sqlite.ts'

export interface ServiceSockets {
  readonly asking: string
  readonly control: string
  /** For hooks of coding agents. */
  readonly hooks: string
}

/** INVARIANT: the hook's own program has this name too. */
const HOOKS_SOCKET = 'hooks.sock'

/** Where the sockets of a home's service are, unless a person named another for askers. */
export function serviceSockets(home: Home): ServiceSockets {
  return {
    asking: join(home.run, 'asking.sock'),
    control: join(home.run, 'control.sock'),
    hooks: join(home.run, HOOKS_SOCKET),
  }
}

/** Where the service keeps which browsers are signed in. Without it nobody is. */
export function signInsPath(home: Home): string {
  return join(home.run, 'sessions.json')
}

/**
 * Takes the place of the one service of this home, for as long as this process lives; undefined when another has it.
 * The lock is SQLite's on an empty database: the system drops it when its holder dies, so it is never stale.
 */
export function takeServiceLock(home: Home): (() => void) | undefined {
  openOwnFolder(home.run, 'CS_HOME')
  const path = join(home.run, 'lock.db')
  // Only where it is absent: closing a second descriptor of a locked file would drop this process's own lock.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (error) {
    lock.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined
    throw new CountersignError('CS_HOME', `\`${path}\` cannot be locked; remove it`, { cause: error })
  }
}

/** The token that askers show over TCP: made once, kept beside the keys. */
export function openAskingToken(home: Home): { readonly token: string; readonly path: string } {
  const path = keyPath(home, 'asking.token')
  createOwnFile(path, `${randomBytes(32).toString('base64url')}\n`)
  const token = readOwnFile(path, 1_024, 'CS_KEY')?.trim() ?? ''
  if (token.length < 32) throw new CountersignError('CS_KEY', `\`${path}\` is damaged; remove it to make a new one`)
  return { token, path }
}

/** Replaces the token by one that services on several machines share. */
export function writeAskingToken(home: Home, token: string): void {
  replaceOwnFile(keyPath(home, 'asking.token'), `${token}\n`)
}

/** The port that a service of this home had last; undefined before the first. */
export function rememberedPort(home: Home): number | undefined {
  const text = readOwnFile(home.service, 1_024, 'CS_HOME')
  if (text === undefined) return undefined
  try {
    const { port } = JSON.parse(text) as { readonly port?: unknown }
    return typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined
  } catch {
    return undefined // it is only a convenience: a new one is written
  }
}

/** Keeps the port for the next start: bookmarks, passkeys and the browser's key belong to an origin. */
export function rememberPort(home: Home, port: number): void {
  if (rememberedPort(home) !== port) replaceOwnFile(home.service, `${JSON.stringify({ version: 1, port })}\n`)
}
