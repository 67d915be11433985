import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { HostName } from '../contract/host-name.ts'
import { settingsVariable } from '../hosts/settings-variable.ts'

/** Where a coding agent finds its own rules. */
export interface OwnRulePlace {
  readonly accountHome: string
  /** The folders that it works in. */
  readonly folders: readonly string[]
  /** The environment and the words that its process was started with; null if they can't be read. */
  readonly env: Readonly<Record<string, string>> | null
  readonly argv: readonly string[] | null
}

/** A file that may have such rules. */
export interface OwnRuleFile {
  readonly name: string
  /** Null if it can't be read. */
  readonly text: string | null
}

interface Location {
  /** `own`: the agent's folder of the account. `project`: each folder it works in, and those above. */
  readonly base: 'own' | 'project' | 'system'
  /** A `*` stands for any part of a name. */
  readonly path: string
  /** What every file with such rules contains. */
  readonly mark: RegExp
}

const at = (base: Location['base'], path: string, mark: RegExp): Location => ({ base, path, mark })
const inAll = (base: Location['base'], paths: readonly string[], mark: RegExp): readonly Location[] =>
  paths.map((path) => at(base, path, mark))

const ANY = /^/
const CLAUDE = /permissions|\\u/
const EXCLUDES = /exclude|policyPaths|\\u/i
const DENIES = /den(?:y|ied)|\\u/i
/** opencode puts variables and other files into its settings before it reads them. */
const PERMISSION = /permission|\\u|\{(?:env|file):/
const OPENCODE = [
  'config.json',
  'opencode.json',
  'opencode.jsonc',
  ...['agent', 'agents', 'mode', 'modes'].flatMap((name) => [`${name}/*.md`, `${name}/*/*.md`]),
]

/** Settings that can make an agent ask or refuse. Those of agents whose commands are never replaced don't matter. */
const LOCATIONS: Partial<Readonly<Record<HostName, readonly Location[]>>> = {
  'claude-code': [
    ...inAll('own', ['settings.json', 'settings.local.json', 'remote-settings.json'], CLAUDE),
    ...inAll('project', ['.claude/settings.json', '.claude/settings.local.json'], CLAUDE),
    ...inAll(
      'system',
      ['/etc/claude-code/managed-settings.json', '/etc/claude-code/managed-settings.d/*.json'],
      CLAUDE,
    ),
  ],
  codex: [
    at('own', 'rules/*.rules', ANY),
    at('project', '.codex/rules/*.rules', ANY),
    ...inAll('system', ['/etc/codex/rules/*.rules', '/etc/codex/requirements.toml'], ANY),
  ],
  'gemini-cli': [
    ...inAll('own', ['settings.json', 'extensions/*/gemini-extension.json'], EXCLUDES),
    ...inAll('own', ['policies/*.toml', 'extensions/*/policies/*.toml'], ANY),
    at('project', '.gemini/settings.json', EXCLUDES),
    at('project', '.gemini/policies/*.toml', ANY),
    ...inAll('system', ['/etc/gemini-cli/settings.json', '/etc/gemini-cli/system-defaults.json'], EXCLUDES),
    at('system', '/etc/gemini-cli/policies/*.toml', ANY),
  ],
  copilot: [
    ...inAll('own', ['config.json', 'settings.json', 'permissions-config.json'], DENIES),
    ...inAll('project', ['.github/copilot/settings.json', '.github/copilot/settings.local.json'], DENIES),
  ],
  opencode: [
    ...inAll('own', OPENCODE, PERMISSION),
    ...inAll('project', ['opencode.json', 'opencode.jsonc'], PERMISSION),
    ...inAll(
      'project',
      OPENCODE.map((name) => `.opencode/${name}`),
      PERMISSION,
    ),
    ...inAll('system', ['/etc/opencode/opencode.json', '/etc/opencode/opencode.jsonc'], PERMISSION),
  ],
}

const OWN_FOLDER: Partial<Readonly<Record<HostName, string>>> = {
  'claude-code': '.claude',
  codex: '.codex',
  'gemini-cli': '.gemini',
  copilot: '.copilot',
  opencode: '.config/opencode',
}

/** INVARIANT: L10. */
const MOST_FILES = 300
const MOST_BYTES = 1024 * 1024
const MOST_ABOVE = 64

/** The files of an agent that may have rules of its own. Files that certainly have none are left out. */
export function ownRuleFiles(host: HostName, place: OwnRulePlace): readonly OwnRuleFile[] {
  const { folders } = place
  const bases = {
    own: ownFolders(host, place),
    project: [...new Set(folders.flatMap(withAbove))],
    system: ['/'],
  }
  const paths = new Map<string, RegExp>()
  for (const { base, path, mark } of LOCATIONS[host] ?? [])
    for (const folder of bases[base]) for (const found of matching(folder, path)) paths.set(found, mark)
  const files = [...paths].slice(0, MOST_FILES).flatMap(([path, mark]): readonly OwnRuleFile[] => {
    const file = readRuleFile(path)
    return file === null || (file.text !== null && !mark.test(file.text)) ? [] : [file]
  })
  return paths.size > MOST_FILES ? [...files, { name: 'more than 300 files', text: null }] : files
}

/** One file; null if there is none. */
export function readRuleFile(path: string): OwnRuleFile | null {
  try {
    const found = statSync(path)
    const isReadable = found.isFile() && found.size <= MOST_BYTES
    return { name: path, text: isReadable ? readFileSync(path, 'utf8') : null }
  } catch (error) {
    return isAbsent(error) ? null : { name: path, text: null }
  }
}

function ownFolders(host: HostName, { accountHome, env }: OwnRulePlace): readonly string[] {
  const usual = OWN_FOLDER[host]
  if (usual === undefined) return []
  const variable = settingsVariable(host)
  const homes = [accountHome, env?.['HOME'], host === 'gemini-cli' ? env?.['GEMINI_CLI_HOME'] : undefined]
  const named = [
    variable === undefined ? undefined : env?.[variable],
    ...(host === 'opencode' ? [join(env?.['XDG_CONFIG_HOME'] ?? '', 'opencode'), env?.['OPENCODE_CONFIG_DIR']] : []),
  ]
  const all = [...homes.map((home) => (home === undefined ? undefined : join(home, usual))), ...named]
  return [...new Set(all.filter((folder) => folder !== undefined && isAbsolute(folder)))] as readonly string[]
}

function withAbove(folder: string): readonly string[] {
  const found = [folder]
  for (let one = folder; found.length < MOST_ABOVE && dirname(one) !== one; ) {
    one = dirname(one)
    found.push(one)
  }
  return found
}

/** The files that a path with `*` stands for. A folder that can't be listed is named itself, and then can't be read either. */
function matching(folder: string, path: string): readonly string[] {
  let found: readonly string[] = [folder]
  for (const part of path.split('/').filter((one) => one !== '')) {
    const [start, end] = part.split('*')
    found = found.flatMap((one) => {
      if (start === undefined || end === undefined) return [join(one, part)]
      try {
        const names = readdirSync(one).filter((name) => name.startsWith(start) && name.endsWith(end))
        return names.sort().map((name) => join(one, name))
      } catch (error) {
        return isAbsent(error) ? [] : [one]
      }
    })
  }
  return found
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
