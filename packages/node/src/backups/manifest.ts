import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError } from '@countersign/core'

/** One thing as it was before the call. */
export interface KeptEntry {
  readonly path: string
  readonly type: 'file' | 'folder' | 'link'
  readonly mode: number
  readonly uid: number
  readonly gid: number
  /** Milliseconds, with fractions. */
  readonly accessedAt: number
  readonly changedAt: number
  readonly link?: string
  /** Of a file: its size, its SHA-256, and the name of its copy. */
  readonly size?: number
  readonly sha256?: string
  readonly copy?: string
}

/** One target of the call: there before, or absent with the folder that was. */
export type KeptTarget =
  | { readonly path: string; readonly was: 'present' }
  | { readonly path: string; readonly was: 'absent'; readonly below: string }

/** What a copy holds. */
export interface Manifest {
  readonly version: 1
  readonly call: string
  readonly madeAt: number
  readonly targets: readonly KeptTarget[]
  readonly entries: readonly KeptEntry[]
}

export const MANIFEST = 'manifest.json'

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest)}\n`
}

export function manifestHash(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Reads a manifest; with `expected`, the hash the journal has of it, a changed one is refused. */
export function readManifest(folder: string, expected?: string): Manifest {
  let text: string
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    throw new CountersignError('CS_BACKUP', 'the copy is gone: copies are deleted after a while', { cause: error })
  }
  if (expected !== undefined && manifestHash(text) !== expected)
    throw new CountersignError('CS_BACKUP', 'the copy does not match the journal; do not restore from it')
  const manifest = parse(text)
  if (manifest?.version !== 1 || !Array.isArray(manifest.targets) || !Array.isArray(manifest.entries))
    throw new CountersignError('CS_BACKUP', 'the copy has no readable manifest; do not restore from it')
  return manifest
}

function parse(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Manifest) : undefined
  } catch {
    return undefined
  }
}
