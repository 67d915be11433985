import { readdirSync, readFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { ForeignFile, Source } from './carried.ts'

interface Location {
  readonly source: Source
  readonly base: 'home' | 'config' | 'project'
  /** A `*` in the last part stands for every file that ends like the rest of it. */
  readonly path: string
}

const at = (source: Source, base: Location['base'], path: string): Location => ({ source, base, path })

/** Where each product keeps its rules. */
const LOCATIONS: readonly Location[] = [
  at('claude-code', 'home', '.claude/settings.json'),
  at('claude-code', 'project', '.claude/settings.json'),
  at('claude-code', 'project', '.claude/settings.local.json'),
  at('codex', 'home', '.codex/config.toml'),
  at('codex', 'home', '.codex/rules/*.rules'),
  at('codex', 'project', '.codex/rules/*.rules'),
  at('gemini', 'home', '.gemini/settings.json'),
  at('gemini', 'home', '.gemini/policies/*.toml'),
  at('gemini', 'project', '.gemini/settings.json'),
  at('vscode', 'config', 'Code/User/settings.json'),
  at('vscode', 'project', '.vscode/settings.json'),
  at('adh', 'home', '.adh-cli/policy_preferences.yaml'),
  at('adh', 'home', '.adh-cli/policies/*.yaml'),
]

/** The account's home, whatever an agent put into HOME. */
export function accountHome(): string {
  return userInfo().homedir || homedir()
}

/** The settings files of a product that exist. */
export function findForeignFiles(source: Source, project: string, home = accountHome()): readonly ForeignFile[] {
  const config = process.platform === 'darwin' ? join(home, 'Library/Application Support') : join(home, '.config')
  const folders = { home, config, project }
  return LOCATIONS.filter((one) => one.source === source).flatMap(({ base, path }) =>
    matching(join(folders[base], path)).flatMap((file) => {
      const text = textOf(file)
      const name = base === 'project' ? file.slice(project.length + 1) : `~${file.slice(home.length)}`
      return text === null ? [] : [{ source, name, text, scope: base === 'project' ? 'project' : 'user' } as const]
    }),
  )
}

function matching(path: string): readonly string[] {
  const [start, end] = basename(path).split('*')
  if (start === undefined || end === undefined) return [path]
  try {
    const names = readdirSync(dirname(path)).filter((name) => name.startsWith(start) && name.endsWith(end))
    return names.sort().map((name) => join(dirname(path), name))
  } catch {
    return []
  }
}

/** Null for a file that does not exist. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
