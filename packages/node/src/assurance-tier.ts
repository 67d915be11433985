import { realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openOwnFolder, readOwnFile, replaceOwnFile } from './files/private-file.ts'
import type { Home } from './home/home.ts'

/** How well the gate is separated from the agents: see SECURITY.md. */
export type Tier = 'T0' | 'T1' | 'T2' | 'T3'

/**
 * Computes the tier from facts: how the asker is separated from the gate, and whether high risk needs a passkey.
 * The only place that names a tier; its callers have tested the facts.
 */
export function tierOf(found: {
  readonly asker: 'same process' | 'same user' | 'other user'
  readonly passkey: boolean
}): Tier {
  if (found.asker === 'same process') return 'T0'
  if (found.asker === 'same user') return 'T1'
  return found.passkey ? 'T3' : 'T2'
}

/** A recorded attempt, as the agents' user, to get around the gate, which failed. */
export interface ApartProof {
  /** The socket that agents used. */
  readonly socket: string
  /** The user of the attempt. */
  readonly asker: number
  readonly at: number
}

const LASTS_MS = 30 * 86_400_000
const MAX_BYTES = 16_384

/** Stores a proof beside the sockets, for the service to show. */
export function keepApartProof(home: Home, { socket, asker, at }: ApartProof): void {
  openOwnFolder(home.run, 'CS_HOME')
  replaceOwnFile(pathOf(home), `${JSON.stringify({ version: 1, socket, asker, at })}\n`)
}

/**
 * Whether askers are proven to be another user: a kept proof of the last 30 days, for this very socket, by another user
 * than this one, with home, socket and its folder still closed to others, and a program that this user cannot change. Any
 * error counts as no.
 */
export function isApart(home: Home, socket: string, now: number, program = process.argv.slice(0, 2)): boolean {
  try {
    const proof = JSON.parse(readOwnFile(pathOf(home), MAX_BYTES, 'CS_HOME') ?? 'null') as ApartProof | null
    if (proof === null || proof.socket !== socket || proof.asker === process.geteuid?.()) return false
    if (![proof.asker, proof.at].every(Number.isSafeInteger)) return false
    if (proof.at > now || now - proof.at >= LASTS_MS) return false
    if ((statSync(home.dir).mode & 0o077) !== 0 || (statSync(socket).mode & 0o007) !== 0) return false
    return isClosed(statSync(dirname(socket))) && program.every((path) => isOutOfReach(realpathSync(path), proof.asker))
  } catch {
    return false
  }
}

/** Whether others cannot replace what is in a folder. With the sticky bit only the owner of an entry can. */
function isClosed({ mode }: Stats, others = 0o022): boolean {
  return (mode & others) === 0 || (mode & 0o1000) !== 0
}

/** Whether a user neither owns a path or a folder above it, nor finds one open to all. The proof has tested its groups. */
function isOutOfReach(path: string, user: number): boolean {
  const stats = statSync(path)
  if (stats.uid === user || !isClosed(stats, 0o002)) return false
  return dirname(path) === path || isOutOfReach(dirname(path), user)
}

function pathOf(home: Home): string {
  return join(home.run, 'apart.json')
}
