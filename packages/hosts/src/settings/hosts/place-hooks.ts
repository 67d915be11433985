import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { isJsonObject } from '@countersign/core'
import { systemCode } from '@countersign/node'
import type { HostName } from '../../contract/host-name.ts'
import { clineScript } from '../../hosts/cline-script.ts'
import { opencodePlugin } from '../../hosts/opencode-plugin.ts'
import { readToml } from '../files/toml-block.ts'
import { type HookFile, type HookPlace, settingsFolders } from './hook-files.ts'
import { spellHooks } from './spell-hooks.ts'

/** Marks a file that is ours alone. */
export const MADE_BY = 'Written by `countersign init`; `countersign init --undo` removes it.'

/** The files that put an agent behind the gate; or one clause why there are none. */
export function placeHooks(host: HostName, place: HookPlace): readonly HookFile[] | string {
  switch (host) {
    case 'claude-code':
      // The local file, which is not committed: it names paths of this machine.
      return foldersOf(host, '.claude', place).map((folder) =>
        inGroups(host, join(folder, place.scope === 'user' ? 'settings.json' : 'settings.local.json'), place),
      )
    case 'codex':
      return foldersOf(host, '.codex', place).map((folder) => codexFile(folder, place))
    case 'gemini-cli':
      return foldersOf(host, '.gemini', place).map((folder) => inGroups(host, join(folder, 'settings.json'), place))
    case 'copilot':
      if (place.scope === 'project') return [copilotFile(join(place.project, '.github/hooks'), place)]
      return foldersOf(host, '.copilot', place).map((folder) => copilotFile(join(folder, 'hooks'), place))
    case 'cursor':
      return foldersOf(host, '.cursor', place).map((folder) =>
        inList(host, join(folder, 'hooks.json'), { version: 1 }, place),
      )
    case 'vscode':
      return place.scope === 'user'
        ? vsCodeFiles(place)
        : 'it shares its project files with Copilot CLI; use your account’s settings'
    case 'opencode':
      return opencodeFiles(place)
    case 'cline':
      return clineFiles(place)
    case 'goose':
      return gooseFiles(place)
  }
}

function foldersOf(host: HostName, name: string, place: HookPlace): readonly string[] {
  return place.scope === 'user' ? settingsFolders(host, name, place) : [join(place.project, name)]
}

function inGroups(host: HostName, path: string, place: HookPlace, dialect: 'json' | 'jsonc' = 'jsonc'): HookFile {
  return { kind: 'hooks', path, dialect, shape: 'groups', head: {}, hooks: spellHooks(host, place) }
}

function inList(host: HostName, path: string, head: { readonly [key: string]: number }, place: HookPlace): HookFile {
  return { kind: 'hooks', path, dialect: 'jsonc', shape: 'handlers', head, hooks: spellHooks(host, place) }
}

/** In `hooks.json`, unless the person keeps hooks in `config.toml`. */
function codexFile(folder: string, place: HookPlace): HookFile {
  const json = inGroups('codex', join(folder, 'hooks.json'), place, 'json')
  const config = join(folder, 'config.toml')
  if (existsSync(json.path) || !hasHookTables(config)) return json
  return { kind: 'toml', path: config, hooks: spellHooks('codex', place) }
}

/** Whether it has hooks as `[[hooks.…]]`, to which more can be added. A list in brackets can't be continued. */
function hasHookTables(path: string): boolean {
  const text = textOf(path)
  if (text === undefined || !/^\s*\[\[\s*hooks\s*\./m.test(text)) return false
  const data = readToml(text)
  return typeof data === 'string' || isJsonObject(data['hooks'])
}

function copilotFile(folder: string, place: HookPlace): HookFile {
  return inList('copilot', join(folder, 'countersign.json'), { version: 1 }, place)
}

/** VS Code reads Copilot's hook files too, so its own is elsewhere, and its settings name it. */
function vsCodeFiles(place: HookPlace): readonly HookFile[] {
  const { accountHome, platform } = place
  const user = platform === 'darwin' ? 'Library/Application Support/Code/User' : '.config/Code/User'
  const named = '.vscode/countersign-hooks.json'
  return [
    inList('vscode', join(accountHome, named), {}, place),
    {
      kind: 'member',
      path: join(accountHome, user, 'settings.json'),
      at: ['chat.hookFilesLocations', `~/${named}`],
      value: true,
    },
  ]
}

function opencodeFiles({ scope, project, accountHome, env, words }: HookPlace): readonly HookFile[] {
  const named = env['XDG_CONFIG_HOME']
  const usual = join(accountHome, '.config')
  const configs = named === undefined || !isAbsolute(named) || named === usual ? [usual] : [usual, named]
  const folders = scope === 'project' ? [join(project, '.opencode')] : configs.map((config) => join(config, 'opencode'))
  const text = opencodePlugin(words)
  return folders.map((folder) => ({ kind: 'own', path: join(folder, 'plugins/countersign.js'), text, mode: 0o600 }))
}

function clineFiles({ scope, project, accountHome, events, words }: HookPlace): readonly HookFile[] {
  const own = join(scope === 'project' ? project : accountHome, '.cline')
  const older = scope === 'project' ? join(project, '.clinerules/hooks') : join(accountHome, 'Documents/Cline/Hooks')
  const folder = existsSync(own) ? join(own, 'hooks') : older
  return events.map((event) => ({
    kind: 'own',
    path: join(folder, event.name),
    text: clineScript(words, event),
    mode: 0o700,
  }))
}

/** A plugin of its own, as the Open Plugins specification has it. */
function gooseFiles(place: HookPlace): readonly HookFile[] {
  const folder = join(place.scope === 'project' ? place.project : place.accountHome, '.agents/plugins/countersign')
  const manifest = { name: 'countersign', version: '1.0.0', description: MADE_BY }
  return [
    { kind: 'own', path: join(folder, 'plugin.json'), text: `${JSON.stringify(manifest, null, 2)}\n`, mode: 0o600 },
    inGroups('goose', join(folder, 'hooks/hooks.json'), place),
  ]
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}
