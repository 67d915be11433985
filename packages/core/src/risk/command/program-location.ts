import { SYSTEM } from '../../knowledge/compiled/paths.ts'
import { interpreterOf } from '../arguments/interpreter-names.ts'
import { isInside, type Places, placeOf } from '../path/category.ts'
import { isProjectTool, rowOf } from '../programs/rate-program.ts'
import { finding, type RiskFinding } from '../report/finding.ts'

/** Folders inside a project where its tools are installed. */
const TOOL_FOLDERS = /\/(?:node_modules|\.venv|venv|env|vendor|\.tox|\.nox|\.conda|\.pixi|\.direnv|\.devbox)\//

/**
 * Rates where PATH finds a program that is named without a folder: null when that is a place where programs live. The
 * project's own tools may lie in the project; a `git` or an `ls` may not.
 */
export function rateFoundProgram(name: string, at: string, places: Places): RiskFinding | null {
  if (isTrusted(name.toLowerCase(), at, places)) return null
  return finding(
    'high',
    'path.shadowed',
    `\`${name.slice(0, 64)}\` is found in \`${at.slice(0, 256)}\`, not where the system keeps it`,
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
