import { realpathSync, statSync } from 'node:fs'
import { CountersignError, type PolicyFile, type PolicyFiles } from '@countersign/core'
import type { Home } from '../home/home.ts'
import { layerSignature } from './layer-fingerprint.ts'
import { type LayerFile, lookAtLayer, type UnreadFile } from './layer-reader.ts'
import { digestOf, isTrusted, projectFolder } from './project-trust.ts'

/** Where policy is looked for. */
export interface PolicyPlaces {
  readonly home: Home
  /** The workspace's real path (see `openWorkspace`). */
  readonly workspace: string
  /** The organisation's folder and the user it must belong to; `/etc/countersign` and root unless a test says otherwise. */
  readonly managed?: { readonly folder: string; readonly owner: number }
  /** Files that the process itself brings, with the power of a managed file: they only tighten. */
  readonly floors?: readonly { readonly path: string; readonly text: string }[]
}

/** The policy files of all layers: managed, the person's, the project's. */
export function openPolicyFiles(places: PolicyPlaces): PolicyFiles {
  const { home, workspace } = places
  const managed = places.managed ?? { folder: '/etc/countersign', owner: 0 }
  const project = projectFolder(workspace)
  let last = { organisation: '', own: '', shared: '', pins: '', version: '' }
  return Object.freeze({
    version: () => {
      const shared = layerSignature(project)
      const pins = shared === 'absent' ? shared : trustSignature(home)
      const organisation = layerSignature(managed.folder)
      const own = layerSignature(home.dir)
      // Nearly always the very texts of the last look: putting them together again costs as much as the look.
      const isSame =
        last.own === own && last.shared === shared && last.organisation === organisation && last.pins === pins
      if (!isSame) last = { organisation, own, shared, pins, version: `${organisation}/${own}/${shared}/${pins}` }
      return last.version
    },
    read: async (): Promise<readonly PolicyFile[]> => [
      ...(places.floors ?? []).map((file) => asPolicy('managed', file)),
      ...lookAtLayer(managed.folder, { kind: 'managed', owner: managed.owner }).map((file) =>
        asPolicy('managed', file),
      ),
      ...lookAtLayer(home.dir, { kind: 'user' }).map((file) => asPolicy('user', file)),
      ...(isSameFolder(project, home.dir) ? [] : readProjectLayer(home, workspace)),
    ],
  })
}

/** Trust is judged on the bytes that were read, never on a second look; where some could not be, none of them is trusted. */
export function readProjectLayer(home: Home, workspace: string): readonly PolicyFile[] {
  const found = lookAtLayer(projectFolder(workspace), { kind: 'project' })
  const files = found.map((file) => asPolicy('project', file))
  if (files.length === 0 || found.some((file) => 'error' in file)) return files
  try {
    const trusted = isTrusted(home, workspace, digestOf(workspace, found as readonly LayerFile[]))
    return files.map((file) => ({ ...file, trusted }))
  } catch (error) {
    return [...files, asPolicy('project', { path: home.trust, error })]
  }
}

function asPolicy(layer: PolicyFile['layer'], file: LayerFile | UnreadFile): PolicyFile {
  if ('text' in file) return { layer, name: file.path, text: file.text, trusted: false }
  const { error } = file
  const unreadable = error instanceof CountersignError ? error.message : 'it cannot be read; check its owner and mode'
  return { layer, name: file.path, text: '', trusted: false, unreadable }
}

function isSameFolder(path: string, real: string): boolean {
  try {
    return realpathSync(path) === real
  } catch {
    return false
  }
}

function trustSignature(home: Home): string {
  const stats = statSync(home.trust, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? 'absent' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}
