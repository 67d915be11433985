import type { HostName } from '../contract/host-name.ts'
import type { Carried } from './carried.ts'
import { readClaudeCode } from './claude-code.ts'
import { readCodex, withoutComments } from './codex.ts'
import { deniedIn } from './copilot.ts'
import { readGemini } from './gemini.ts'
import { type Covered, coveredByPaths, coveredByWords, EVERYTHING, type OwnRule } from './might-match.ts'
import { headOf, opencodeRule, readOpencode } from './opencode.ts'
import type { OwnRuleFile } from './own-rule-files.ts'
import { jsonOf, listOf, recordOf, stringsOf, tomlOf, yamlOf } from './read-settings.ts'

type Named = Pick<OwnRuleFile, 'name'> & { readonly text: string }

/** Every rule in a file that asks or denies. Throws if the file can't be understood. */
function rulesInFile(host: HostName, file: Named): readonly OwnRule[] {
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

/** The rules of a file; one that could be about any command for a file that can't be read. */
export function rulesOf(host: HostName, file: OwnRuleFile | null): readonly OwnRule[] {
  if (file === null) return []
  const { name, text } = file
  return text === null ? [unread(name)] : orUnread(name, () => rulesInFile(host, { name, text }))
}

/** What is read; instead of what can't be understood, one that could be about any command. */
export function orUnread(name: string, read: () => readonly OwnRule[]): readonly OwnRule[] {
  try {
    return read()
  } catch {
    return [unread(name)]
  }
}

/** INVARIANT: L3, unreadable text could be a rule about anything. */
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

function opencodeRules(file: Named): readonly OwnRule[] {
  if (!file.name.endsWith('.md')) return readOpencode(jsonOf(file)).flatMap(opencodeRule)
  const head = headOf(file.text)
  return head === null ? [] : readOpencode(yamlOf({ name: file.name, text: head })).flatMap(opencodeRule)
}
