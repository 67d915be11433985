import { unlinkSync } from 'node:fs'
import { CountersignError, type Crypto, canonicalJson, isJsonObject, type Json } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile, systemCode } from '@countersign/node'
import type { ServerIdentity } from '../identity/server-identity.ts'
import { parseJson } from '../json/parse-json.ts'
import { labelPath, mcpFolder, storedLabel, uniqueLabel } from './label-files.ts'

/** A person's acceptance of a tool with exactly this definition. */
export interface Acceptance {
  /** The id of the approver’s key. */
  readonly approver: string
  readonly at: number
  readonly signature: string
}

/** One accepted tool of one server. */
export interface PinnedTool {
  readonly name: string
  readonly definition: Json
  /** Null for a tool of the first contact that no person reviewed. */
  readonly acceptance: Acceptance | null
}

/** What the gate saw at first contact, signed with the gate’s key so that later additions do not count. */
export interface FirstContact {
  readonly at: number
  readonly tools: readonly (readonly [name: string, hash: string])[]
  readonly signature: string
}

/** One server of a label. */
export interface PinnedServer {
  readonly identity: ServerIdentity
  readonly first: FirstContact | null
  readonly tools: readonly PinnedTool[]
}

/** The pins of one label. */
export interface PinFile {
  readonly label: string
  readonly servers: readonly PinnedServer[]
}

const MAX_BYTES = 33_554_432
export const MAX_SERVERS = 16
export const MAX_TOOLS = 2000

/** Reads the pins of a label in any spelling; undefined before the first contact. Throws CS_PINS for an invalid file. */
export function readPins(home: Home, label: string, crypto: Pick<Crypto, 'sha256'>): PinFile | undefined {
  const kept = uniqueLabel(home, label, crypto)
  const path = labelPath(home, kept, 'pins', crypto)
  const text = readOwnFile(path, MAX_BYTES, 'CS_PINS')
  if (text === undefined) return undefined
  const file = parsePins(text)
  if (file?.label !== kept) throw damagedPins(path, label)
  return file
}

export function damagedPins(path: string, label: string): CountersignError {
  return new CountersignError(
    'CS_PINS',
    `\`${path}\` is damaged; restore it from a backup, or run \`countersign mcp forget ${label}\``,
  )
}

/** Writes the pins of a label atomically. INVARIANT: only while holding the lock of the home. */
export function writePins(home: Home, file: PinFile, crypto: Pick<Crypto, 'sha256'>): void {
  if (file.servers.length > MAX_SERVERS)
    throw new CountersignError(
      'CS_PINS',
      `more than ${MAX_SERVERS} servers share the name \`${file.label}\`; run \`countersign mcp forget ${file.label}\``,
    )
  const text = `${JSON.stringify({ version: 1, ...file }, null, 1)}\n`
  if (text.length > MAX_BYTES)
    throw new CountersignError('CS_PINS', `the tools of \`${file.label}\` are too large to store; use a smaller server`)
  openOwnFolder(mcpFolder(home), 'CS_PINS')
  replaceOwnFile(labelPath(home, file.label, 'pins', crypto), text)
}

function parsePins(text: string): PinFile | undefined {
  const file = parseJson(text)
  if (!isJsonObject(file) || file['version'] !== 1 || typeof file['label'] !== 'string') return undefined
  const servers = listOf(file['servers'], MAX_SERVERS, readServer)
  return servers === undefined ? undefined : { label: file['label'], servers }
}

function readServer(value: Json): PinnedServer | undefined {
  if (!isJsonObject(value)) return undefined
  const identity = readIdentity(value['identity'])
  const tools = listOf(value['tools'], MAX_TOOLS, readPinned)
  const first = value['first'] === null ? null : readFirst(value['first'])
  return identity === undefined || tools === undefined || first === undefined ? undefined : { identity, first, tools }
}

/** Parses an identity; undefined when it is invalid. */
export function readIdentity(value: Json | undefined): ServerIdentity | undefined {
  if (!isJsonObject(value) || typeof value['hash'] !== 'string' || typeof value['shown'] !== 'string') return undefined
  const { hash, shown, folderless } = value
  return { hash, shown, ...(typeof folderless === 'string' ? { folderless } : {}) }
}

function readFirst(value: Json | undefined): FirstContact | undefined {
  if (!isJsonObject(value) || typeof value['at'] !== 'number' || typeof value['signature'] !== 'string')
    return undefined
  const tools = listOf(value['tools'], MAX_TOOLS, (pair): readonly [string, string] | undefined => {
    if (!Array.isArray(pair)) return undefined
    const [name, hash] = pair as readonly unknown[]
    return typeof name === 'string' && typeof hash === 'string' ? [name, hash] : undefined
  })
  return tools === undefined ? undefined : { at: value['at'], tools, signature: value['signature'] }
}

function readPinned(value: Json): PinnedTool | undefined {
  if (!isJsonObject(value) || typeof value['name'] !== 'string' || value['definition'] === undefined) return undefined
  const acceptance = value['acceptance'] === null ? null : readAcceptance(value['acceptance'])
  if (acceptance === undefined) return undefined
  return { name: value['name'], definition: value['definition'], acceptance }
}

function readAcceptance(value: Json | undefined): Acceptance | undefined {
  if (!isJsonObject(value)) return undefined
  const { approver, at, signature } = value
  if (typeof approver !== 'string' || typeof at !== 'number' || typeof signature !== 'string') return undefined
  return { approver, at, signature }
}

/** Parses every item; undefined when one is invalid: half a pin file does not count. */
export function listOf<T>(
  value: Json | undefined,
  most: number,
  read: (item: Json) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined
  const items: T[] = []
  for (const item of value as readonly Json[]) {
    const one = read(item)
    if (one === undefined) return undefined
    items.push(one)
  }
  return items
}

/** The hash of a definition, as the gate computes it. */
export function hashOf(definition: Json, crypto: Pick<Crypto, 'sha256'>): string {
  return crypto.sha256(canonicalJson(definition))
}

/** A quarantined tool as its server listed it last; `countersign mcp accept` shows it. */
export interface QuarantinedTool {
  readonly name: string
  readonly definition: Json
  readonly why: string
  readonly at: number
}

/** The quarantined tools of one server. */
export interface QuarantinedServer {
  readonly identity: ServerIdentity
  readonly tools: readonly QuarantinedTool[]
}

/** The quarantined tools of a label. An invalid file counts as empty: it holds only proposals, and is written again. */
export function readQuarantine(
  home: Home,
  label: string,
  crypto: Pick<Crypto, 'sha256'>,
): readonly QuarantinedServer[] {
  try {
    const kept = storedLabel(home, label, crypto)
    const text = readOwnFile(labelPath(home, kept, 'waiting', crypto), MAX_BYTES, 'CS_PINS')
    const file = text === undefined ? undefined : parseJson(text)
    if (!isJsonObject(file) || file['label'] !== kept) return []
    return listOf(file['servers'], MAX_SERVERS, readQuarantinedServer) ?? []
  } catch {
    return []
  }
}

/** Writes the quarantine of a label; an empty one is deleted. INVARIANT: only while holding the lock of the home. */
export function writeQuarantine(
  home: Home,
  label: string,
  servers: readonly QuarantinedServer[],
  crypto: Pick<Crypto, 'sha256'>,
): void {
  const kept = storedLabel(home, label, crypto)
  const path = labelPath(home, kept, 'waiting', crypto)
  const some = servers.filter(({ tools }) => tools.length > 0).slice(-MAX_SERVERS)
  if (some.length === 0) {
    removeFile(path)
    return
  }
  openOwnFolder(mcpFolder(home), 'CS_PINS')
  const text = `${JSON.stringify({ version: 1, label: kept, servers: some }, null, 1)}\n`
  if (text.length <= MAX_BYTES) replaceOwnFile(path, text)
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

function readQuarantinedServer(value: Json): QuarantinedServer | undefined {
  if (!isJsonObject(value)) return undefined
  const identity = readIdentity(value['identity'])
  const tools = listOf(value['tools'], MAX_TOOLS, readQuarantinedTool)
  return identity === undefined || tools === undefined ? undefined : { identity, tools }
}

function readQuarantinedTool(value: Json): QuarantinedTool | undefined {
  if (!isJsonObject(value)) return undefined
  const { name, definition, why, at } = value
  if (typeof name !== 'string' || definition === undefined || typeof why !== 'string' || typeof at !== 'number')
    return undefined
  return { name, definition, why, at }
}
