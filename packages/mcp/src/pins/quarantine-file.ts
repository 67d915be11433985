import { unlinkSync } from 'node:fs'
import type { Crypto, Json } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile, systemCode } from '@countersign/node'
import type { ServerIdentity } from '../identity/server-identity.ts'
import { mcpFolder } from '../identity/state-folder.ts'
import { isObject, parseJson } from '../json/value.ts'
import { listOf, MAX_SERVERS, MAX_TOOLS, readIdentity } from './file.ts'
import { keptLabel, labelPath } from './label-files.ts'

/** A tool in quarantine, as its server listed it last: what `countersign mcp accept` shows. */
export interface WaitingTool {
  readonly name: string
  readonly definition: Json
  readonly why: string
  readonly at: number
}

/** What waits of one server. */
export interface WaitingServer {
  readonly identity: ServerIdentity
  readonly tools: readonly WaitingTool[]
}

const MAX_BYTES = 33_554_432

/** What waits for a person under a label. A file that is wrong is none: it only proposes, and is written again. */
export function readWaiting(home: Home, label: string, crypto: Pick<Crypto, 'sha256'>): readonly WaitingServer[] {
  try {
    const kept = keptLabel(home, label, crypto)
    const text = readOwnFile(labelPath(home, kept, 'waiting', crypto), MAX_BYTES, 'CS_PINS')
    const file = text === undefined ? undefined : parseJson(text)
    if (!isObject(file) || file['label'] !== kept) return []
    return listOf(file['servers'], MAX_SERVERS, readServer) ?? []
  } catch {
    return []
  }
}

/** Writes what waits under a label; nothing waiting leaves no file. INVARIANT: only under the lock of the home. */
export function writeWaiting(
  home: Home,
  label: string,
  servers: readonly WaitingServer[],
  crypto: Pick<Crypto, 'sha256'>,
): void {
  const kept = keptLabel(home, label, crypto)
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

function readServer(value: Json): WaitingServer | undefined {
  if (!isObject(value)) return undefined
  const identity = readIdentity(value['identity'])
  const tools = listOf(value['tools'], MAX_TOOLS, readTool)
  return identity === undefined || tools === undefined ? undefined : { identity, tools }
}

function readTool(value: Json): WaitingTool | undefined {
  if (!isObject(value)) return undefined
  const { name, definition, why, at } = value
  if (typeof name !== 'string' || definition === undefined || typeof why !== 'string' || typeof at !== 'number')
    return undefined
  return { name, definition, why, at }
}
