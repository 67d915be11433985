import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountHome, agentHome, agentWords, systemCode } from '@countersign/node'
import type { HostName } from '../../contract/host-name.ts'
import {
  claudeRule,
  claudeRules,
  codexRules,
  copilotRule,
  geminiRules,
  geminiSettingsRules,
  opencodeRules,
  type RuleText,
} from './rule-texts.ts'

/** Where an agent's own rules are. */
interface Around {
  readonly pid: number
  readonly workspace: string
}

/**
 * Whether a rule of the agent's own, one that refuses or asks, may be about this command. Then the hook must not replace it: in place
 * of the command, the agent would judge the one that runs it in the sandbox, which no such rule names. It errs on the side of the rule.
 */
export function mayHaveOwnRule(host: HostName, command: string, around: Around): boolean {
  const plain = command.replaceAll(/["'\\]/g, '')
  try {
    return ownRules(host, around).some((pieces) =>
      pieces.every((piece) => plain.includes(piece.replaceAll(/["'\\]/g, ''))),
    )
  } catch {
    return true // a file that can't be read may hold such a rule
  }
}

function ownRules(host: HostName, { pid, workspace }: Around): readonly RuleText[] {
  const homes = [...new Set([accountHome(), agentHome(pid)].filter((home) => home !== undefined))]
  const inHomes = (path: string): readonly string[] => homes.map((home) => join(home, path))
  const words = agentWords(pid)
  switch (host) {
    case 'claude-code': {
      const files = [
        ...inHomes('.claude/settings.json'),
        join(workspace, '.claude/settings.json'),
        join(workspace, '.claude/settings.local.json'),
        '/etc/claude-code/managed-settings.json',
      ]
      const flags = flagValues(words, ['--disallowedTools', '--disallowed-tools']).flatMap(splitRules)
      return [...files.flatMap(read).flatMap(claudeRules), ...flags.flatMap(claudeRule)]
    }
    case 'codex':
      return [...inHomes('.codex/rules'), join(workspace, '.codex/rules')]
        .flatMap((folder) => filesIn(folder, '.rules'))
        .flatMap(read)
        .flatMap(codexRules)
    case 'gemini-cli': {
      const settings = [...inHomes('.gemini/settings.json'), join(workspace, '.gemini/settings.json')]
      const folders = [...inHomes('.gemini/policies'), '/etc/gemini-cli/policies']
      return [
        ...settings.flatMap(read).flatMap(geminiSettingsRules),
        ...folders
          .flatMap((folder) => filesIn(folder, '.toml'))
          .flatMap(read)
          .flatMap(geminiRules),
      ]
    }
    case 'opencode':
      return [...inHomes('.config/opencode'), workspace, join(workspace, '.opencode')]
        .flatMap((folder) => ['opencode.json', 'opencode.jsonc'].map((name) => join(folder, name)))
        .flatMap(read)
        .flatMap(opencodeRules)
    case 'copilot':
      return flagValues(words, ['--deny-tool']).flatMap(copilotRule)
    default:
      return []
  }
}

/** INVARIANT: L10. */
const MAX_CHARACTERS = 1_048_576

function read(path: string): readonly string[] {
  try {
    const text = readFileSync(path, 'utf8')
    if (text.length > MAX_CHARACTERS) throw new Error(`\`${path}\` is too large`)
    return [text]
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return []
    throw error
  }
}

function filesIn(folder: string, ending: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => join(folder, name))
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return []
    throw error
  }
}

/** What follows a flag up to the next one, or its own `=` part. */
function flagValues(words: readonly string[], flags: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const [flag = '', value] = word.split(/=(.*)/s)
    if (!flags.includes(flag)) return []
    if (value !== undefined) return [value]
    const rest = words.slice(at + 1)
    const end = rest.findIndex((one) => one.startsWith('-'))
    return end === -1 ? rest : rest.slice(0, end)
  })
}

/** `Bash(git:*),Edit` and `Bash(git:*) Edit` are two rules. */
function splitRules(text: string): readonly string[] {
  return text.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? []
}
