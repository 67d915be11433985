import { CountersignError, type Crypto, canonicalJson, type Json } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile } from '@countersign/node'
import type { ServerIdentity } from '../identity/server-identity.ts'
import { mcpFolder } from '../identity/state-folder.ts'
import { isObject, parseJson } from '../json/value.ts'
import { labelPath, onlyLabel } from './label-files.ts'

/** A person's word that a tool may be asked for with exactly this definition. */
export interface Acceptance {
  /** The id of the approver's key. */
  readonly approver: string
  readonly at: number
  readonly signature: string
}

/** One tool of one server, as it was accepted. */
export interface PinnedTool {
  readonly name: string
  readonly definition: Json
  /** Null for one of the first contact that nobody has looked at. */
  readonly acceptance: Acceptance | null
}

/** What the gate saw when it met the server: signed by the gate's key, so that a line added later does not count. */
export interface FirstContact {
  readonly at: number
  readonly tools: readonly (readonly [name: string, hash: string])[]
  readonly signature: string
}

/** One server that may stand behind a label. */
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

/** Reads the pins of a label, in whatever spelling; undefined before the first contact. Throws CS_PINS for a file that is wrong in any way. */
export function readPins(home: Home, label: string, crypto: Pick<Crypto, 'sha256'>): PinFile | undefined {
  const kept = onlyLabel(home, label, crypto)
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

/** Writes the pins of a label in one step. INVARIANT: only under the lock of the home. */
export function writePins(home: Home, file: PinFile, crypto: Pick<Crypto, 'sha256'>): void {
  if (file.servers.length > MAX_SERVERS)
    throw new CountersignError(
      'CS_PINS',
      `more than ${MAX_SERVERS} servers share the name \`${file.label}\`; run \`countersign mcp forget ${file.label}\``,
    )
  const text = `${JSON.stringify({ version: 1, ...file }, null, 1)}\n`
  if (text.length > MAX_BYTES)
    throw new CountersignError(
      'CS_PINS',
      `the tools of \`${file.label}\` are too large to be kept; use a smaller server`,
    )
  openOwnFolder(mcpFolder(home), 'CS_PINS')
  replaceOwnFile(labelPath(home, file.label, 'pins', crypto), text)
}

function parsePins(text: string): PinFile | undefined {
  const file = parseJson(text)
  if (!isObject(file) || file['version'] !== 1 || typeof file['label'] !== 'string') return undefined
  const servers = listOf(file['servers'], MAX_SERVERS, readServer)
  return servers === undefined ? undefined : { label: file['label'], servers }
}

function readServer(value: Json): PinnedServer | undefined {
  if (!isObject(value)) return undefined
  const identity = readIdentity(value['identity'])
  const tools = listOf(value['tools'], MAX_TOOLS, readPinned)
  const first = value['first'] === null ? null : readFirst(value['first'])
  return identity === undefined || tools === undefined || first === undefined ? undefined : { identity, first, tools }
}

/** Reads an identity back; undefined when it is none. */
export function readIdentity(value: Json | undefined): ServerIdentity | undefined {
  if (!isObject(value) || typeof value['hash'] !== 'string' || typeof value['shown'] !== 'string') return undefined
  const { hash, shown, folderless } = value
  return { hash, shown, ...(typeof folderless === 'string' ? { folderless } : {}) }
}

function readFirst(value: Json | undefined): FirstContact | undefined {
  if (!isObject(value) || typeof value['at'] !== 'number' || typeof value['signature'] !== 'string') return undefined
  const tools = listOf(value['tools'], MAX_TOOLS, (pair): readonly [string, string] | undefined => {
    if (!Array.isArray(pair)) return undefined
    const [name, hash] = pair as readonly unknown[]
    return typeof name === 'string' && typeof hash === 'string' ? [name, hash] : undefined
  })
  return tools === undefined ? undefined : { at: value['at'], tools, signature: value['signature'] }
}

function readPinned(value: Json): PinnedTool | undefined {
  if (!isObject(value) || typeof value['name'] !== 'string' || value['definition'] === undefined) return undefined
  const acceptance = value['acceptance'] === null ? null : readAcceptance(value['acceptance'])
  if (acceptance === undefined) return undefined
  return { name: value['name'], definition: value['definition'], acceptance }
}

function readAcceptance(value: Json | undefined): Acceptance | undefined {
  if (!isObject(value)) return undefined
  const { approver, at, signature } = value
  if (typeof approver !== 'string' || typeof at !== 'number' || typeof signature !== 'string') return undefined
  return { approver, at, signature }
}

/** Every item read, or undefined when one cannot be: half a file of pins is none. */
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

/** The hash of a definition, as the gate takes it. */
export function hashOf(definition: Json, crypto: Pick<Crypto, 'sha256'>): string {
  return crypto.sha256(canonicalJson(definition))
}
