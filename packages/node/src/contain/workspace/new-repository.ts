import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { CONTAINMENT } from '@countersign/core'
import { newDeeperParts } from './repository-parts.ts'

const MOST_BYTES = 65_536
const SECTION = /^\s*\[([a-z]+)(?: "([^"\\\]]*)")?\]\s*$/i
const SETTING = /^\s*([a-z][a-z0-9-]*)\s*=\s*([^\\"#;]*)$/i
const ALLOWED = new Set(CONTAINMENT.protectedNames.gitSettings)

/**
 * Whether a repository that a contained command made runs nothing: no hooks but git's samples, and no settings outside the
 * list. `folder` is its `.git`, which may be a file that names another folder.
 */
export function isPlainRepository(folder: string | null, workspace: string): boolean {
  if (folder === null) return false
  try {
    const stats = lstatSync(folder)
    if (stats.isFile()) return pointsInto(folder, workspace)
    if (!stats.isDirectory()) return false
    const has = (name: string): boolean => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined
    if (
      ['commondir', 'config.worktree', 'modules', 'info/attributes'].some(has) ||
      newDeeperParts(folder, new Set()).length > 0
    )
      return false
    return hasOnlySamples(join(folder, 'hooks')) && (!has('config') || isPlainConfig(join(folder, 'config')))
  } catch {
    return false
  }
}

/** A linked worktree: its `.git` file may only name a folder below the repository of the workspace. */
function pointsInto(file: string, workspace: string): boolean {
  const target = /^gitdir: (.+)\n?$/.exec(readSmall(file))?.[1]
  if (target === undefined) return false
  const repository = join(realpathSync.native(workspace), '.git', 'worktrees')
  return realpathSync.native(resolve(dirname(file), target)).startsWith(`${repository}${sep}`)
}

function hasOnlySamples(hooks: string): boolean {
  const stats = lstatSync(hooks, { throwIfNoEntry: false })
  if (stats === undefined) return true
  if (!stats.isDirectory()) return false
  return readdirSync(hooks, { withFileTypes: true }).every((entry) => entry.isFile() && entry.name.endsWith('.sample'))
}

function isPlainConfig(path: string): boolean {
  if (!lstatSync(path).isFile()) return false
  let section = ''
  for (const line of readSmall(path).split('\n')) {
    const header = SECTION.exec(line)
    const setting = SETTING.exec(line)
    if (header !== null) section = `${header[1]?.toLowerCase()}.${header[2] === undefined ? '' : '*.'}`
    else if (setting !== null) {
      // `ext::` and other helpers in a URL name a program.
      if (!ALLOWED.has(`${section}${setting[1]?.toLowerCase()}`) || setting[2]?.includes('::')) return false
    } else if (line.trim() !== '') return false
  }
  return true
}

function readSmall(path: string): string {
  if (lstatSync(path).size > MOST_BYTES) throw new Error('too large')
  return readFileSync(path, 'utf8')
}
