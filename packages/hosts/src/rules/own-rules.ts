import { isAbsolute, join } from 'node:path'
import type { HostName } from '../contract/host-name.ts'
import type { Carried } from './carried.ts'
import { readClaudeCode } from './claude-code.ts'
import { readCodex, withoutComments } from './codex.ts'
import { optionValues, rulesIn } from './command-line.ts'
import { readGemini } from './gemini.ts'
import { type Covered, coveredByPaths, coveredByWords, EVERYTHING } from './might-match.ts'
import { headOf, type OpencodeRule, permissionRules, readOpencode } from './opencode.ts'
import { type OwnRuleFile, type OwnRulePlace, readRuleFile } from './own-rule-files.ts'
import { jsonOf, listOf, recordOf, stringsOf, tomlOf, yamlOf } from './read-settings.ts'

/** A rule of a coding agent that asks or denies. */
export interface OwnRule {
  /** As its person wrote it. */
  readonly text: string
  readonly covers: Covered
}

type Named = Pick<OwnRuleFile, 'name'> & { readonly text: string }

/** Every rule in a file that asks or denies. Throws if the file can't be understood. */
export function rulesInFile(host: HostName, file: Named): readonly OwnRule[] {
  switch (host) {
    case 'claude-code':
      return tightening(readClaudeCode({ source: 'claude-code', scope: 'project', ...file }))
    case 'codex':
      return file.name.endsWith('.toml') ? requirements(file) : codexRules(file)
    case 'gemini-cli':
      return [...tightening(readGemini({ source: 'gemini', scope: 'project', ...file })), ...otherPolicies(file)]
    case 'copilot':
      return deniedIn(jsonOf(file))
    case 'opencode':
      return opencodeRules(file)
    default:
      return []
  }
}

/** The rules that an agent's process was started with. */
export function rulesInStart(host: HostName, { argv, env, folders }: OwnRulePlace): readonly OwnRule[] {
  const values = (...names: readonly string[]) => optionValues(argv ?? [], names)
  const [folder = '/'] = folders
  const inFiles = (paths: readonly string[]): readonly OwnRule[] =>
    paths.flatMap((path) => rulesOf(host, readRuleFile(isAbsolute(path) ? path : join(folder, path))))
  switch (host) {
    case 'claude-code': {
      const settings = values('--settings', '--managed-settings')
      const isText = (one: string): boolean => one.trimStart().startsWith('{')
      const texts = settings.filter(isText).map((text) => ({ name: '--settings', text }))
      const deny = values('--disallowedTools', '--disallowed-tools').flatMap(rulesIn)
      const given = { name: '--disallowedTools', text: JSON.stringify({ permissions: { deny } }) }
      return [
        ...[given, ...texts].flatMap((one) => rulesOf(host, one)),
        ...inFiles(settings.filter((one) => !isText(one))),
      ]
    }
    case 'gemini-cli': {
      const named = ['GEMINI_CLI_SYSTEM_SETTINGS_PATH', 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH'].flatMap(
        (name) => env?.[name] ?? [],
      )
      return [...inFiles(named), ...values('--policy', '--admin-policy').map(unread)]
    }
    case 'copilot':
      return [
        ...values('--deny-tool').flatMap(rulesIn).flatMap(copilotRule),
        ...values('--deny-url').flatMap(rulesIn).map(urlRule),
      ]
    case 'opencode': {
      const permission = env?.['OPENCODE_PERMISSION']
      const content = env?.['OPENCODE_CONFIG_CONTENT']
      const file = env?.['OPENCODE_CONFIG']
      return [
        ...(permission === undefined
          ? []
          : orUnread('OPENCODE_PERMISSION', () =>
              permissionRules(jsonOf({ name: 'OPENCODE_PERMISSION', text: permission })).flatMap(opencodeRule),
            )),
        ...(content === undefined ? [] : rulesOf(host, { name: 'OPENCODE_CONFIG_CONTENT', text: content })),
        ...(file === undefined ? [] : inFiles([file])),
      ]
    }
    default:
      return []
  }
}

/** The rules of a file; one that could be about any command for a file that can't be read. */
export function rulesOf(host: HostName, file: OwnRuleFile | null): readonly OwnRule[] {
  if (file === null) return []
  const { name, text } = file
  return text === null ? [unread(name)] : orUnread(name, () => rulesInFile(host, { name, text }))
}

function orUnread(name: string, read: () => readonly OwnRule[]): readonly OwnRule[] {
  try {
    return read()
  } catch {
    return [unread(name)]
  }
}

/** INVARIANT: L3, what can't be read could be a rule about anything. */
export function unread(name: string): OwnRule {
  return { text: `${name} (can’t be checked)`, covers: EVERYTHING }
}

function tightening(carried: readonly Carried[]): readonly OwnRule[] {
  return carried.flatMap((one) => {
    const covers = one.kind === 'left' ? coveredByLeft(one.tightens) : coveredBy(one)
    return covers === null ? [] : [{ text: one.text, covers }]
  })
}

function coveredByLeft(tightens: Extract<Carried, { readonly kind: 'left' }>['tightens']): Covered | null {
  return tightens === undefined || tightens === 'hosts' || tightens === 'tools' ? null : EVERYTHING
}

function coveredBy({ supervision, when }: Extract<Carried, { readonly kind: 'rule' }>): Covered | null {
  if (supervision === 'automatic' || supervision === 'notify') return null
  const { command, path, tool, kind, url } = when
  if (command !== undefined) return coveredByWords(stringsOf(recordOf(command)['program']))
  if (path !== undefined) return coveredByPaths(stringsOf(path))
  if (tool !== undefined) return stringsOf(tool).some(isShell) ? EVERYTHING : null
  return url !== undefined || kind === 'fetch' ? null : EVERYTHING
}

/** Names of shell tools, which a pattern in the name of a tool could mean. */
const SHELLS = ['Bash', 'shell', 'exec_command', 'run_shell_command', 'ShellTool', 'PowerShell']

function isShell(pattern: string): boolean {
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll(/[^\w]/g, '\\$&'))
  const matches = new RegExp(`^${parts.join('.*')}$`, 'i')
  return SHELLS.some((name) => matches.test(name))
}

/** A rules file is a program: a `prefix_rule` that is not simply called could be about anything. */
function codexRules(file: Named): readonly OwnRule[] {
  const read = readCodex({ source: 'codex', scope: 'project', ...file })
  const found = new Set(read.filter(({ text }) => text.startsWith('prefix_rule(')).map(({ from, text }) => from + text))
  const named = withoutComments(file.text).match(/\bprefix_rule\b/g)?.length ?? 0
  return [...tightening(read), ...(named > found.size ? [unread(file.name)] : [])]
}

/** Policy files that settings name are not looked for. */
function otherPolicies(file: Named): readonly OwnRule[] {
  if (file.name.endsWith('.toml')) return []
  const { policyPaths, adminPolicyPaths } = recordOf(jsonOf(file))
  return [...stringsOf(policyPaths), ...stringsOf(adminPolicyPaths)].map(unread)
}

/** Rules of an organization: `[rules] prefix_rules = [{ pattern = [{ token = "rm" }], decision = "prompt" }]`. */
function requirements(file: Named): readonly OwnRule[] {
  const rules = recordOf(recordOf(tomlOf(file))['rules'])
  return listOf(rules['prefix_rules']).flatMap((value) => {
    const { pattern, decision } = recordOf(value)
    if (decision === 'allow') return []
    const { token, any_of } = recordOf(listOf(pattern)[0])
    return [{ text: JSON.stringify(value), covers: coveredByWords(stringsOf(token ?? any_of)) }]
  })
}

/** Every text below a key such as `denied_urls`. */
function deniedIn(value: unknown, key = ''): readonly OwnRule[] {
  if (typeof value === 'string') {
    if (!/den(?:y|ied)/i.test(key)) return []
    return rulesIn(value).flatMap((text) => (/url/i.test(key) ? [urlRule(text)] : copilotRule(text)))
  }
  if (Array.isArray(value)) return value.flatMap((one) => deniedIn(one, key))
  return Object.entries(recordOf(value)).flatMap(([name, one]) => deniedIn(one, `${key}.${name}`))
}

/** `shell(git push:*)`, `write(.env)`, `url(example.com)`; anything else is the tool of a server. */
function copilotRule(text: string): readonly OwnRule[] {
  const [, kind, content = ''] = /^([\w-]+)(?:\((.*?)\)?)?$/s.exec(text) ?? []
  if (kind === undefined) return [{ text, covers: EVERYTHING }]
  if (kind === 'shell') return [{ text, covers: coveredByWords([content]) }]
  if (kind === 'write' || kind === 'read') return [{ text, covers: coveredByPaths([content]) }]
  return kind === 'url' ? [{ ...urlRule(content), text }] : []
}

function urlRule(text: string): OwnRule {
  return { text, covers: coveredByPaths([text.replace(/^\w+:\/\//, '')]) }
}

function opencodeRules(file: Named): readonly OwnRule[] {
  if (!file.name.endsWith('.md')) return readOpencode(jsonOf(file)).flatMap(opencodeRule)
  const head = headOf(file.text)
  return head === null ? [] : readOpencode(yamlOf({ name: file.name, text: head })).flatMap(opencodeRule)
}

/** A path outside of the project is spelled with one of these. */
const OUTSIDE: Covered = { kind: 'words', starts: [], parts: ['/', '..', '~'] }

/** Rules for other tools than the shell matter if they name a file. */
function opencodeRule({ permission, pattern, action }: OpencodeRule): readonly OwnRule[] {
  const text = `${permission}: ${pattern === '*' ? action : `${pattern}: ${action}`}`
  if (permission === 'external_directory') return [{ text, covers: OUTSIDE }]
  if (/^[\w-]+$/.test(permission) && permission !== 'bash') {
    const covers = coveredByPaths([pattern])
    return covers.kind === 'everything' ? [] : [{ text, covers }]
  }
  return [{ text, covers: permission === 'bash' ? coveredByWords([pattern]) : EVERYTHING }]
}
