import { lstatSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Crypto, Json } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile, systemCode, withFileLock } from '@countersign/node'
import { parseJson } from '../json/parse-json.ts'
import { mcpFolder } from '../pins/label-files.ts'
import { signInError } from './safe-url.ts'

/** The authorization server. Stored with the sign-in: tokens are renewed there and nowhere else. */
export interface AuthorizationServer {
  readonly issuer: string
  readonly tokenEndpoint: string
  readonly revocationEndpoint: string | null
  /** The supported client authentication methods. */
  readonly methods: readonly string[]
}

/** The OAuth client. */
export interface TokenClient {
  readonly id: string
  readonly secret: string | null
  readonly method: string | null
}

/** A stored sign-in. SECURITY: A32 never shown, logged or recorded: only issuer, scope and times are for people. */
export interface StoredSignIn {
  /** The full URL of the server; it is sent nowhere else. */
  readonly url: string
  readonly authorizationServer: AuthorizationServer
  readonly client: TokenClient
  /** The resource identifier (RFC 8707). */
  readonly resource: string | null
  readonly scope: string | null
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly expiresAt: number | null
  /** When to renew it; null without a known lifetime. */
  readonly renewAt: number | null
}

const MAX_BYTES = 262_144
const TIMEOUT_MS = 30_000

/** The store of one server’s sign-in. */
export interface SignInStore {
  read(): StoredSignIn | null
  /** INVARIANT: only within `withLock`. */
  write(signIn: StoredSignIn): void
  /** False when there was none. INVARIANT: only within `withLock`. */
  remove(): boolean
  /** Changes with every write; empty when there is none. */
  version(): string
  /** Runs while no other process signs in, out, or renews. */
  withLock<T>(work: () => Promise<T>): Promise<T>
}

type Sealing = Pick<Crypto, 'sha256' | 'seal' | 'unseal'>

/** A file in the home, mode 0600 and sealed with the home’s key, so that a copy alone is useless. */
export function openSignInStore(home: Home, { href, hostname }: URL, crypto: Sealing): SignInStore {
  const readable = hostname.replaceAll(/[^A-Za-z0-9.-]/g, '_').slice(0, 40)
  const base = join(mcpFolder(home), `${readable}-${crypto.sha256(href).slice(0, 12)}.sign-in`)
  const path = `${base}.json`
  return {
    read() {
      const file = readOwnFile(path, MAX_BYTES, 'CS_MCP_SIGN_IN')
      if (file === undefined) return null
      const signIn = readSignIn(opened(file, crypto))
      // INVARIANT: a file moved here from another server is refused: a token is sent only to its own server.
      if (signIn?.url === href) return signIn
      throw signInError(`\`${path}\` is damaged or belongs to another home; sign in again`)
    },
    write(signIn) {
      const { authorizationServer: giver, ...rest } = signIn
      const sealed = crypto.seal(JSON.stringify({ ...rest, giver }))
      const file = `${JSON.stringify({ version: 1, sealed: Buffer.from(sealed).toString('base64') })}\n`
      // INVARIANT: an unreadable file never replaces a readable one.
      if (file.length > MAX_BYTES)
        throw signInError(`the sign-in is larger than ${MAX_BYTES} bytes; contact the server’s owner`)
      replaceOwnFile(path, file)
    },
    remove() {
      try {
        unlinkSync(path)
        return true
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return false
        throw error
      }
    },
    version() {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      return stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs} ${stats.size} ${stats.mode}`
    },
    withLock(work) {
      openOwnFolder(mcpFolder(home), 'CS_MCP_SIGN_IN')
      return withFileLock(`${base}.lock`, TIMEOUT_MS, 'CS_MCP_SIGN_IN', work)
    },
  }
}

function opened(content: string, crypto: Sealing): Json | undefined {
  const file = parseJson(content)
  const sealed = isJsonObject(file) && file['version'] === 1 ? file['sealed'] : undefined
  if (typeof sealed !== 'string') return undefined
  try {
    return parseJson(crypto.unseal(Buffer.from(sealed, 'base64')))
  } catch {
    return undefined // sealed with another key, or changed: the caller reports it
  }
}

type Reader<T> = (value: Json | undefined) => T | undefined

/** Parses an object member by member; undefined when one is invalid. */
function membersOf<T>(readers: { readonly [name in keyof T]: Reader<T[name]> }): Reader<T> {
  return (value) => {
    if (!isJsonObject(value)) return undefined
    const read: { [name in keyof T]?: T[name] } = {}
    for (const name in readers) {
      const member = readers[name](value[name])
      if (member === undefined) return undefined
      read[name] = member
    }
    return read as T
  }
}

const text: Reader<string> = (value) => (typeof value === 'string' ? value : undefined)
const textOrNull: Reader<string | null> = (value) => (value === null ? null : text(value))
const time: Reader<number | null> = (value) => (value === null || typeof value === 'number' ? value : undefined)
const texts: Reader<readonly string[]> = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined

/** The stored form: `giver` is the authorization server, under the name it had in the first version of the file. */
type SignInFile = Omit<StoredSignIn, 'authorizationServer'> & { readonly giver: AuthorizationServer }

const readFile = membersOf<SignInFile>({
  url: text,
  giver: membersOf<AuthorizationServer>({
    issuer: text,
    tokenEndpoint: text,
    revocationEndpoint: textOrNull,
    methods: texts,
  }),
  client: membersOf<TokenClient>({ id: text, secret: textOrNull, method: textOrNull }),
  resource: textOrNull,
  scope: textOrNull,
  accessToken: text,
  refreshToken: textOrNull,
  expiresAt: time,
  renewAt: time,
})

function readSignIn(value: Json | undefined): StoredSignIn | undefined {
  const file = readFile(value)
  if (file === undefined) return undefined
  const { giver: authorizationServer, ...rest } = file
  return { ...rest, authorizationServer }
}
