import { interpreterOf } from '../../command/code/inline-code.ts'
import { SYSTEM } from '../../knowledge/compiled/paths.ts'
import { isInside, type Places, placeOf } from '../path/category.ts'
import { isProjectTool, rowOf } from '../programs/rate-program.ts'
import { finding, type RiskFinding } from '../report/finding.ts'

/** Folders of a project where its tools are installed. */
const TOOL_FOLDERS = /\/(?:node_modules|\.venv|venv|env|vendor|\.tox|\.nox|\.conda|\.pixi|\.direnv|\.devbox)\//

/**
 * Rates the place where PATH finds a program; null if programs are installed there. The project's own tools may be in the
 * project, `git` or `ls` may not.
 */
export function rateFoundProgram(name: string, at: string, places: Places): RiskFinding | null {
  if (isTrusted(name.toLowerCase(), at, places)) return null
  return finding(
    'high',
    'path.shadowed',
    `\`${name.slice(0, 64)}\` comes from \`${at.slice(0, 256)}\`, not from a system folder`,
    'unknown',
  )
}

function isTrusted(name: string, at: string, places: Places): boolean {
  if (isInside(at, places.workspace)) {
    if (rowOf(name) === undefined) return true
    const isTool = isProjectTool(name) || interpreterOf(name) !== null
    return isTool && TOOL_FOLDERS.test(at.slice(places.workspace.length))
  }
  if (SYSTEM.writableByAll.some((folder) => isInside(at.toLowerCase(), folder))) return false
  const place = placeOf(at, places)
  return place !== 'temp' && place !== 'device' && place !== 'gate' && place !== 'credentials'
}
