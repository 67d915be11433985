import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { CountersignError } from '@countersign/core'
import { realPath } from '@countersign/node'
import type { ToolRun } from './agent-tool.ts'
import { toolFailure } from './tool-failure.ts'

/** Where paths start, and which of them the gate checked. */
export type ToolPlace = Pick<ToolRun, 'workspace' | 'paths'>

/**
 * Resolves a path as the gate does: through links, `..` and `~`. INVARIANT: L11, the result is a path that the gate checked:
 * a command that runs meanwhile can put a link in the place of a folder.
 */
export function toolPath(path: string, { workspace, paths }: ToolPlace): string {
  const real = realPath(plain(path), workspace)
  if (paths !== undefined && real !== workspace && !paths.includes(real)) throw moved(path)
  return real
}

/** The same for a path to remove or move: links of the folder are followed, the entry itself is not. */
export function toolEntry(path: string, place: ToolPlace): string {
  const real = toolPath(path, place)
  const name = basename(path)
  if (name === '' || name === '.' || name === '..' || name.startsWith('~')) return real
  const { workspace, paths } = place
  const entry = join(realPath(dirname(path), workspace), name)
  // The gate checked where a link leads, not which folder it is in.
  if (
    paths !== undefined &&
    entry !== real &&
    isInside(resolve(workspace, path), workspace) &&
    !isInside(entry, workspace)
  )
    throw moved(path)
  return entry
}

/** A path for the agent: relative to the workspace if inside. */
export function shownPath(real: string, workspace: string): string {
  if (real === workspace) return '.'
  return isInside(real, workspace) ? relative(workspace, real) : real
}

function isInside(path: string, workspace: string): boolean {
  return path.startsWith(`${workspace}${sep}`)
}

function moved(path: string): CountersignError {
  return toolFailure(`\`${path}\` leads somewhere else since it was checked; nothing was done`)
}

/** SECURITY: A7 the gate reads `file://` as a path; a tool that took it literally would touch another file. */
function plain(path: string): string {
  if (/^file:/i.test(path)) throw new CountersignError('CS_CALL_ARGS', 'this is a URL; use a path')
  return path
}
