import { randomBytes } from 'node:crypto'
import { readdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from '../files/file-lock.ts'
import { openOwnFolder, readOwnFile, replaceOwnFile, systemCode } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { isOwnerAlive, ownerOfProcess } from './call-owners.ts'

/** A session of a coding agent that asks by its hooks: each call comes from another process, the session is kept in the home. */
export interface AgentSession {
  /** The gate's id of it. */
  readonly id: string
  readonly host: string
  /** Fixed when the session starts; no call can change it. */
  readonly workspace: string
  /** The agent's process, as an owner of calls. */
  readonly owner: string
}

const FOLDER = 'sessions'
const MAX_BYTES = 16 * 1024
const PATIENCE_MS = 30_000
/** INVARIANT: L10. */
const MOST_SESSIONS = 1_000

/** The session under this key; undefined if there is none, or if its agent is gone. */
export function findAgentSession(home: Home, key: string): AgentSession | undefined {
  const text = readOwnFile(pathOf(home, key), MAX_BYTES, 'CS_HOME')
  const session = text === undefined ? undefined : parse(text)
  return session !== undefined && isOwnerAlive(session.owner) ? session : undefined
}

/** The session under this key, made if it is absent: an agent that asks for several calls at once has one session. */
export async function takeAgentSession(
  home: Home,
  key: string,
  about: Pick<AgentSession, 'host' | 'workspace'> & { readonly pid: number },
): Promise<AgentSession> {
  const found = findAgentSession(home, key)
  if (found !== undefined) return found
  const folder = join(home.dir, FOLDER)
  openOwnFolder(folder, 'CS_HOME')
  return withFileLock(join(folder, 'lock'), PATIENCE_MS, 'CS_HOME', async () => {
    const other = findAgentSession(home, key)
    if (other !== undefined) return other
    const { host, workspace, pid } = about
    const session = { id: randomBytes(16).toString('hex'), host, workspace, owner: ownerOfProcess(pid) }
    replaceOwnFile(pathOf(home, key), `${JSON.stringify(session)}\n`)
    return session
  })
}

/** Forgets a session. */
export function endAgentSession(home: Home, key: string): void {
  try {
    unlinkSync(pathOf(home, key))
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

/** The sessions of living agents. Those of agents that are gone are removed. */
export function agentSessions(home: Home): readonly AgentSession[] {
  return keysIn(home).flatMap((key) => {
    try {
      const session = findAgentSession(home, key)
      if (session === undefined) endAgentSession(home, key)
      return session ?? []
    } catch {
      return [] // a damaged file: its session can't be used either
    }
  })
}

function keysIn(home: Home): readonly string[] {
  try {
    const names = readdirSync(join(home.dir, FOLDER)).filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
    return names.slice(0, MOST_SESSIONS).map((name) => name.slice(0, 64))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

function pathOf(home: Home, key: string): string {
  return join(home.dir, FOLDER, `${key}.json`)
}

function parse(text: string): AgentSession | undefined {
  try {
    const { id, host, workspace, owner } = JSON.parse(text) as Partial<Record<keyof AgentSession, unknown>>
    if (typeof id !== 'string' || typeof host !== 'string') return undefined
    if (typeof workspace !== 'string' || typeof owner !== 'string') return undefined
    return { id, host, workspace, owner }
  } catch {
    return undefined
  }
}
