import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json } from '@countersign/core'
import type { HostName } from '../../contract/host-name.ts'
import { type JsonPath, readJson, valueAt } from '../files/json-text.ts'
import { readToml } from '../files/toml-block.ts'
import { settingsFolders } from './hook-files.ts'
import { readHookLine } from './hook-line.ts'

/** Where a settings file is: in the agent's own folder, the account's home, the project, or among the machine's own. */
type Base = 'own' | 'account' | 'project' | 'system'

/** A setting that makes an agent skip hooks. Measured in `test/hosts/ways-around.yaml`, or read in the agent's source. */
interface OffSwitch {
  readonly base: Base
  /** `*` stands for any name. */
  readonly file: string
  readonly at: JsonPath
  /** The value that turns every hook off, or a list that names single ones by their command line. */
  readonly off: boolean | 'our hook'
}

interface OffPlace {
  readonly accountHome: string
  readonly project: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The root folder of the machine's own settings. */
  readonly root?: string
}

const every = (
  off: OffSwitch['off'],
  paths: readonly JsonPath[],
  files: Partial<Readonly<Record<Base, readonly string[]>>>,
): readonly OffSwitch[] =>
  (Object.entries(files) as [Base, readonly string[]][]).flatMap(([base, names]) =>
    names.flatMap((file) => paths.map((at) => ({ base, file, at, off }))),
  )

const CLAUDE_MANAGED = [
  'etc/claude-code/managed-settings.json',
  'etc/claude-code/managed-settings.d/*.json',
  'Library/Application Support/ClaudeCode/managed-settings.json',
  'Library/Application Support/ClaudeCode/managed-settings.d/*.json',
]
const CLAUDE_PROJECT = ['.claude/settings.json', '.claude/settings.local.json']
const GEMINI = {
  own: ['settings.json'],
  project: ['.gemini/settings.json'],
  system: [
    'etc/gemini-cli/settings.json',
    'etc/gemini-cli/system-defaults.json',
    'Library/Application Support/GeminiCli/settings.json',
    'Library/Application Support/GeminiCli/system-defaults.json',
  ],
}

/** Each agent's own folder below the account's home, and its switches. */
const SWITCHES: Partial<Readonly<Record<HostName, { readonly folder: string; readonly all: readonly OffSwitch[] }>>> = {
  'claude-code': {
    folder: '.claude',
    all: [
      ...every(true, [['disableAllHooks']], {
        own: ['settings.json'],
        project: CLAUDE_PROJECT,
        system: CLAUDE_MANAGED,
      }),
      ...every(true, [['allowManagedHooksOnly']], { system: CLAUDE_MANAGED }),
    ],
  },
  codex: {
    folder: '.codex',
    all: every(false, [['features', 'hooks']], {
      own: ['config.toml'],
      project: ['.codex/config.toml'],
      system: ['etc/codex/config.toml'],
    }),
  },
  'gemini-cli': {
    folder: '.gemini',
    all: [
      ...every(false, [['hooksConfig', 'enabled']], GEMINI),
      ...every(
        'our hook',
        [
          ['hooksConfig', 'disabled'],
          ['hooks', 'disabled'],
        ],
        GEMINI,
      ), // the second in older versions
    ],
  },
  copilot: {
    folder: '.copilot',
    all: every(true, [['disableAllHooks']], {
      own: ['settings.json'],
      account: ['.claude/settings.json'],
      project: ['.github/copilot/settings.json', '.github/copilot/settings.local.json', ...CLAUDE_PROJECT],
    }),
  },
}

/** A sentence for every setting that turns this agent's hooks off. */
export function offSwitches(host: HostName, place: OffPlace): readonly string[] {
  const { folder, all } = SWITCHES[host] ?? { folder: '', all: [] }
  return all.flatMap((one) =>
    filesOf(one, settingsFolders(host, folder, place), place)
      .filter((path) => isOff(settingOf(path, one.at), one, host))
      .map((path) => sentence(path, one)),
  )
}

function filesOf(
  { base, file }: OffSwitch,
  own: readonly string[],
  { accountHome, project, root = '/' }: OffPlace,
): readonly string[] {
  const folders = { own, account: [accountHome], project: [project], system: [root] }[base]
  if (!file.includes('*')) return folders.map((folder) => join(folder, file))
  return folders.flatMap((folder) => globSync(file, { cwd: folder }).map((name) => join(folder, name)))
}

function isOff(value: Json | undefined, { off }: OffSwitch, host: HostName): boolean {
  if (off !== 'our hook') return value === off
  const names = Array.isArray(value) ? (value as readonly Json[]) : []
  return names.some((name) => typeof name === 'string' && readHookLine(name)?.host === host)
}

function sentence(path: string, { base, at, off }: OffSwitch): string {
  const what = off === 'our hook' ? 'our hook is turned off' : 'hooks are turned off'
  const fix = base === 'system' ? 'ask who manages this machine to remove' : 'remove'
  const setting = off === 'our hook' ? `it from \`${at.join('.')}\`` : `\`${at.join('.')}\` there`
  return `${what} in \`${path}\`, so it runs tools without asking; ${fix} ${setting}`
}

/** A file that can't be read turns nothing off: whoever plans to write it reports that. */
function settingOf(path: string, at: JsonPath): Json | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    const data = path.endsWith('.toml') ? readToml(text) : readJson(text, 'jsonc')
    if (typeof data === 'string') return undefined
    return valueAt('root' in data && isJsonObject(data.data) ? data.data : (data as never), at)
  } catch {
    return undefined
  }
}
