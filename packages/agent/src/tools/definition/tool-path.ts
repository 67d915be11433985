import { basename, dirname, join, relative, sep } from 'node:path'
import { CountersignError } from '@countersign/core'
import { realPath } from '@countersign/node'

/** Where a path of the arguments leads, by the same walk as the gate's: through links, `..` and `~`. */
export function toolPath(path: string, workspace: string): string {
  return realPath(plain(path), workspace)
}

/** The same for what is removed or moved: the folder's links are followed, the thing itself is taken by its name. */
export function toolEntry(path: string, workspace: string): string {
  const named = plain(path)
  const name = basename(named)
  if (name === '' || name === '.' || name === '..' || name.startsWith('~')) return toolPath(path, workspace)
  return join(realPath(dirname(named), workspace), name)
}

/** A path as the agent reads it: from the workspace where it lies inside. */
export function shownPath(real: string, workspace: string): string {
  if (real === workspace) return '.'
  return real.startsWith(`${workspace}${sep}`) ? relative(workspace, real) : real
}

/** SECURITY: A7 the gate reads `file://` as the path it stands for; a tool that took it literally would touch another. */
function plain(path: string): string {
  if (/^file:/i.test(path)) throw new CountersignError('CS_CALL_ARGS', 'an address was given; write the path itself')
  return path
}
