import { hash } from 'node:crypto'
import { isAbsolute, join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { withHomeLock } from '../home/lock.ts'
import { type LayerFile, readLayer } from './layer-reader.ts'

const MAX_BYTES = 1_048_576

/** A project's policy files with the digest a person pins: over every name and content. */
export interface ProjectPolicy {
  readonly files: readonly LayerFile[]
  readonly digest: string
}

/** The folder of a workspace that holds its policy. */
export function projectFolder(workspace: string): string {
  return join(workspace, '.countersign')
}

/** Reads a project's policy for showing it before it is trusted. */
export function readProject(workspace: string): ProjectPolicy {
  const files = readLayer(projectFolder(workspace), { kind: 'project' })
  return { files, digest: digestOf(workspace, files) }
}

/** What a person pins: every name and every content. */
export function digestOf(workspace: string, files: readonly LayerFile[]): string {
  const list = files.map(({ path, text }) => [path.slice(workspace.length), text])
  return hash('sha256', JSON.stringify(list), 'hex')
}

/** Whether the person has pinned exactly this content of this workspace. */
export function isTrusted(home: Home, workspace: string, digest: string): boolean {
  return readTrust(home).get(workspace) === digest
}

/**
 * Pins a project's policy as it is now; any later change of it is untrusted again. With `seen`, the digest a person
 * was shown, CS_STALE when the files changed since.
 */
export function trustProject(home: Home, workspace: string, seen?: string): ProjectPolicy {
  const project = readProject(workspace)
  if (project.files.length === 0)
    throw new CountersignError(
      'CS_POLICY_READ',
      `\`${projectFolder(workspace)}\` has no policy to trust; write one first`,
    )
  if (seen !== undefined && seen !== project.digest)
    throw new CountersignError('CS_STALE', 'the project’s policy changed while it was shown; review it again')
  change(home, (trusted) => trusted.set(workspace, project.digest))
  return project
}

/** Forgets a workspace; false when it was not trusted. */
export function untrust(home: Home, workspace: string): boolean {
  let known = false
  change(home, (trusted) => {
    known = trusted.delete(workspace)
  })
  return known
}

function change(home: Home, edit: (trusted: Map<string, string>) => void): void {
  withHomeLock(home, () => {
    const trusted = new Map(readTrust(home))
    edit(trusted)
    const projects = Object.fromEntries([...trusted].sort(([a], [b]) => (a < b ? -1 : 1)))
    replaceOwnFile(home.trust, `${JSON.stringify({ version: 1, projects }, null, 2)}\n`)
  })
}

/** Every trusted workspace, with the digest that is pinned. */
export function readTrust(home: Home): ReadonlyMap<string, string> {
  const text = readOwnFile(home.trust, MAX_BYTES, 'CS_APPROVERS')
  if (text === undefined) return new Map()
  const file = parse(text)
  if (file?.version !== 1 || Object.keys(file).length !== 2) throw wrong(home.trust)
  if (typeof file.projects !== 'object' || file.projects === null) throw wrong(home.trust)
  const trusted = new Map<string, string>()
  for (const [workspace, digest] of Object.entries(file.projects)) {
    if (!isAbsolute(workspace) || typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) throw wrong(home.trust)
    trusted.set(workspace, digest)
  }
  return trusted
}

function parse(text: string): { readonly version?: unknown; readonly projects?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function wrong(path: string): CountersignError {
  return new CountersignError('CS_APPROVERS', `\`${path}\` is damaged; remove it and trust your projects again`)
}
