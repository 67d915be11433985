import { lstatSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Crypto, Json } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile, systemCode, withFileLock } from '@countersign/node'
import { parseJson } from '../json/strict-parser.ts'
import { mcpFolder } from '../pins/label-files.ts'
import { failed } from './error.ts'

/** Who gives tokens, and takes them back. Kept from the sign-in on: tokens are renewed there and nowhere else. */
export interface TokenGiver {
  readonly issuer: string
  readonly tokenEndpoint: string
  readonly revocationEndpoint: string | null
  /** How clients prove themselves there. */
  readonly methods: readonly string[]
}

/** As whom the tokens were got. */
export interface TokenClient {
  readonly id: string
  readonly secret: string | null
  readonly method: string | null
}

/** What a sign-in left. SECURITY: A32 never shown, logged or recorded: only issuer, scope and times are for people. */
export interface KeptSignIn {
  /** The server it was made for, whole: it is sent nowhere else. */
  readonly url: string
  readonly giver: TokenGiver
  readonly client: TokenClient
  /** What the server calls itself (RFC 8707). */
  readonly resource: string | null
  readonly scope: string | null
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly expiresAt: number | null
  /** When it is time for another; null where nobody says how long it holds. */
  readonly renewAt: number | null
}

const MAX_BYTES = 262_144
const PATIENCE_MS = 30_000

/** The place of one server's sign-in. */
export interface SignInPlace {
  read(): KeptSignIn | null
  /** INVARIANT: only within `alone`. */
  write(kept: KeptSignIn): void
  /** False when there was none. INVARIANT: only within `alone`. */
  remove(): boolean
  /** Changes with every write; empty when there is none. */
  mark(): string
  /** While nobody else signs in, out, or renews. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

type Sealing = Pick<Crypto, 'sha256' | 'seal' | 'unseal'>

/** A file of the home, of mode 0600 and sealed by its key, so that a copy of it alone is worth nothing. */
export function openSignInPlace(home: Home, { href, hostname }: URL, crypto: Sealing): SignInPlace {
  const readable = hostname.replaceAll(/[^A-Za-z0-9.-]/g, '_').slice(0, 40)
  const base = join(mcpFolder(home), `${readable}-${crypto.sha256(href).slice(0, 12)}.sign-in`)
  const path = `${base}.json`
  return {
    read() {
      const file = readOwnFile(path, MAX_BYTES, 'CS_MCP_SIGN_IN')
      if (file === undefined) return null
      const kept = readKept(opened(file, crypto))
      // INVARIANT: a file that was put in another's place is none: a token goes to the server it was made for.
      if (kept?.url === href) return kept
      throw failed(`\`${path}\` is damaged, or another home’s; sign in again`)
    },
    write(kept) {
      const sealed = crypto.seal(JSON.stringify(kept))
      const file = `${JSON.stringify({ version: 1, sealed: Buffer.from(sealed).toString('base64') })}\n`
      // INVARIANT: what could not be read again does not take the place of what can.
      if (file.length > MAX_BYTES)
        throw failed(`the sign-in is larger than ${MAX_BYTES} bytes; tell the server’s owner`)
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
    mark() {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      return stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs} ${stats.size} ${stats.mode}`
    },
    alone(work) {
      openOwnFolder(mcpFolder(home), 'CS_MCP_SIGN_IN')
      return withFileLock(`${base}.lock`, PATIENCE_MS, 'CS_MCP_SIGN_IN', work)
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
    return undefined // sealed by another key, or changed: said by who reads it
  }
}

type Reader<T> = (value: Json | undefined) => T | undefined

/** Reads an object by its members: all of them, or it is none. */
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

const readKept = membersOf<KeptSignIn>({
  url: text,
  giver: membersOf<TokenGiver>({
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
