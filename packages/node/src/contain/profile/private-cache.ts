import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bounds, CONTAINMENT } from '@countersign/core'
import { openOwnFolder, replaceOwnFile } from '../../files/private-file.ts'
import { flat } from './profile.ts'

const { caches } = CONTAINMENT.environment
const SETTINGS = new Set(CONTAINMENT.visibleFiles.gitSettings)
const MOST_BYTES = 1 << 20

/** The folder in the gate's home that belongs to a workspace: caches of its builds, and git's settings. */
export interface PrivateCache {
  readonly source: string
  /** Folders of the home that lead into `source`. */
  readonly links: readonly string[]
  readonly gitConfig: string
}

/**
 * Opens the private cache of a workspace, and makes it on first use. No other workspace and no uncontained program uses it.
 * SECURITY: runs with more rights have a cache of their own, where other runs cannot leave code for them.
 */
export function openPrivateCache(gate: string, workspace: string, home: string, bounds: Bounds): PrivateCache {
  const folder = privateFolder(gate, workspace)
  const source = join(folder, cacheName(bounds))
  const links = caches.filter((name) => name !== '.cache')
  if (!existsSync(source)) openOwnFolder(source, 'CS_HOME')
  for (const name of links) makeFolder(join(source, flat(name)))
  const gitConfig = join(folder, 'gitconfig')
  const text = passedSettings([join(home, '.gitconfig'), join(home, '.config/git/config')])
  if (textOf(gitConfig) !== text) replaceOwnFile(gitConfig, text)
  return { source, links, gitConfig }
}

function cacheName({ write, read, credentials }: Bounds): string {
  const more = [write, read, credentials.filter((name) => name !== 'project')].map((list) => list.toSorted())
  if (more.every((list) => list.length === 0)) return 'cache'
  return `cache-${createHash('sha256').update(JSON.stringify(more)).digest('hex').slice(0, 16)}`
}

/** A run may have put anything in the place of a folder. It stays: only contained commands follow it. */
function makeFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path)
}

/** The folder of one workspace in the gate's home. */
export function privateFolder(gate: string, workspace: string): string {
  return join(gate, 'contained', createHash('sha256').update(workspace).digest('hex').slice(0, 32))
}

/** A new folder for what a run created under protected names. */
export function newQuarantine(gate: string): string {
  return join(gate, 'contained', 'quarantine', randomBytes(8).toString('hex'))
}

/** The settings of the person's git that name no program. Lines of any unusual form are left out. */
function passedSettings(files: readonly string[]): string {
  const lines: string[] = []
  for (const file of files.toReversed()) {
    let section = ''
    for (const line of (textOf(file) ?? '').split('\n')) {
      const header = /^\s*\[([a-z]+)\]\s*$/i.exec(line)
      const setting = /^\s*([a-z][a-z0-9-]*)\s*=\s*([^\\"#;]*|"[^"\\]*")\s*$/i.exec(line)
      if (/^\s*\[/.test(line)) section = header?.[1]?.toLowerCase() ?? ''
      else if (setting !== null && SETTINGS.has(`${section}.${setting[1]?.toLowerCase()}`))
        lines.push(`[${section}]\n\t${setting[1]} = ${setting[2]?.trim()}\n`)
    }
  }
  return lines.join('')
}

function textOf(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    return text.length > MOST_BYTES ? undefined : text
  } catch {
    return undefined
  }
}
