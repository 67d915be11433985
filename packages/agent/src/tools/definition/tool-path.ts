import { basename, dirname, join, relative, sep } from 'node:path'
import { CountersignError } from '@countersign/core'
import { realPath } from '@countersign/node'

/** Resolves a path as the gate does: through links, `..` and `~`. */
export function toolPath(path: string, workspace: string): string {
  return realPath(plain(path), workspace)
}

/** The same for a path to remove or move: links of the folder are followed, the entry itself is not. */
export function toolEntry(path: string, workspace: string): string {
  const named = plain(path)
  const name = basename(named)
  if (name === '' || name === '.' || name === '..' || name.startsWith('~')) return toolPath(path, workspace)
  return join(realPath(dirname(named), workspace), name)
}

/** A path for the agent: relative to the workspace if inside. */
export function shownPath(real: string, workspace: string): string {
  if (real === workspace) return '.'
  return real.startsWith(`${workspace}${sep}`) ? relative(workspace, real) : real
}

/** SECURITY: A7 the gate reads `file://` as a path; a tool that took it literally would touch another file. */
function plain(path: string): string {
  if (/^file:/i.test(path)) throw new CountersignError('CS_CALL_ARGS', 'this is a URL; use a path')
  return path
}
