import { lstatSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { CountersignError } from '@countersign/core'
import { openWorkspace } from '@countersign/node'

/** What askers may name as their workspace. */
export interface WorkspaceRule {
  /** The folders their owner listed, and all below; any folder when absent. */
  readonly listed?: readonly string[]
  /** The group that the socket is shared with: its members may be other users. */
  readonly group?: number
}

/**
 * Reads the workspace an asker names. SECURITY: A3 where it may be another user's, or folders are listed, every refusal
 * is the same, and nothing is looked at that the asker could not see by itself: else the answer would tell which paths
 * of the gate's user exist. For the same reason no link is followed then.
 */
export function createWorkspaceReader({ listed, group }: WorkspaceRule): (dir: string) => string {
  const roots = listed?.map(openWorkspace)
  if (roots === undefined && group === undefined) return openWorkspace
  return (dir) => {
    try {
      if (resolve(dir) !== dir) throw notHere()
      const root = roots === undefined ? sep : roots.find((one) => dir === one || dir.startsWith(`${one}${sep}`))
      if (root === undefined) throw notHere()
      for (const folder of foldersTo(dir, root)) {
        const stats = lstatSync(folder)
        const isOpen =
          roots !== undefined || (stats.mode & 0o001) !== 0 || (stats.gid === group && (stats.mode & 0o010) !== 0)
        if (!stats.isDirectory() || !isOpen) throw notHere()
      }
      return openWorkspace(dir)
    } catch {
      throw notHere()
    }
  }
}

/** Every folder from `root` down to `dir`, both included. */
function foldersTo(dir: string, root: string): readonly string[] {
  const folders = [root]
  for (let at = root.length + 1; at <= dir.length; at += 1)
    if (at === dir.length || dir[at] === sep) folders.push(dir.slice(0, at))
  return folders.filter((folder) => folder !== '')
}

function notHere(): CountersignError {
  return new CountersignError(
    'CS_WORKSPACE',
    'this workspace is not allowed; use the real path of a project folder, or allow it with `serve --workspace`',
  )
}
