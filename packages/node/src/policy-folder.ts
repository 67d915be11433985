import { realpathSync, statSync } from 'node:fs'
import type { PolicyFile, PolicyFiles } from '@countersign/core'
import type { Home } from './home.ts'
import { layerSignature, readLayer } from './policy-layer.ts'
import { isTrusted, projectFolder, readProject } from './trust.ts'

/** Where policy is looked for. */
export interface PolicyPlaces {
  readonly home: Home
  /** The workspace's real path (see `openWorkspace`). */
  readonly workspace: string
  /** The organisation's folder and the user it must belong to; `/etc/countersign` and root unless a test says otherwise. */
  readonly managed?: { readonly folder: string; readonly owner: number }
}

/** The policy files of all layers: managed, the person's, the project's. */
export function openPolicyFiles(places: PolicyPlaces): PolicyFiles {
  const { home, workspace } = places
  const managed = places.managed ?? { folder: '/etc/countersign', owner: 0 }
  const project = projectFolder(workspace)
  return Object.freeze({
    version: () => {
      const own = layerSignature(project)
      const pins = own === 'absent' ? own : trustSignature(home)
      return [layerSignature(managed.folder), layerSignature(home.dir), own, pins].join('/')
    },
    read: async (): Promise<readonly PolicyFile[]> => [
      ...readLayer(managed.folder, { kind: 'managed', owner: managed.owner }).map((file) => asPolicy('managed', file)),
      ...readLayer(home.dir, { kind: 'user' }).map((file) => asPolicy('user', file)),
      ...(isSameFolder(project, home.dir) ? [] : readProjectLayer(home, workspace)),
    ],
  })
}

/** Trust is judged on the bytes that were read, never on a second look. */
function readProjectLayer(home: Home, workspace: string): readonly PolicyFile[] {
  const { files, digest } = readProject(workspace)
  if (files.length === 0) return []
  const trusted = isTrusted(home, workspace, digest)
  return files.map((file) => ({ ...asPolicy('project', file), trusted }))
}

function asPolicy(layer: PolicyFile['layer'], file: { readonly path: string; readonly text: string }): PolicyFile {
  return { layer, name: file.path, text: file.text, trusted: false }
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
