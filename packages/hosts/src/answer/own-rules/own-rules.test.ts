import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import type { HostName } from '../../contract/host-name.ts'
import { mayHaveOwnRule } from './own-rules.ts'
import { copilotRule } from './rule-texts.ts'

/** Whether a rule in a file of the project may be about a command. */
function mayRefuse(host: HostName, path: string, text: string, command: string): boolean {
  const workspace = temporaryFolder()
  mkdirSync(dirname(join(workspace, path)), { recursive: true })
  writeFileSync(join(workspace, path), text)
  return mayHaveOwnRule(host, command, { pid: process.pid, workspace })
}

const CLAUDE = '.claude/settings.json'
const deny = (...rules: readonly string[]): string => JSON.stringify({ permissions: { deny: rules } })

describe('a rule of the agent’s own', () => {
  it.each<[HostName, string, string, string, boolean]>([
    ['claude-code', CLAUDE, deny('Bash(touch:*)'), 'touch a', true],
    ['claude-code', CLAUDE, deny('Bash(touch:*)'), 't\\o"uc"h a', true],
    ['claude-code', CLAUDE, deny('Bash(touch:*)'), 'true && touch a', true],
    ['claude-code', CLAUDE, deny('Bash(touch:*)'), 'git status', false],
    ['claude-code', CLAUDE, deny('Bash(git push *)', 'Read(./.env)'), 'git status', false],
    ['claude-code', CLAUDE, deny('Bash(git push *)', 'Read(./.env)'), 'git   push origin', true],
    ['claude-code', CLAUDE, deny('Read(./.env)'), 'cat .env', false],
    ['claude-code', CLAUDE, deny('Bash'), 'git status', true],
    ['claude-code', CLAUDE, deny('*'), 'git status', true],
    [
      'claude-code',
      CLAUDE,
      '{"permissions":{"ask":[ // mine\n "Bash(rm:*)", /* ] */ "Bash(touch:*)"]}}',
      'touch a',
      true,
    ],
    ['claude-code', CLAUDE, '{"permissions":{"allow":["Bash(touch:*)"]}}', 'touch a', false],
    ['claude-code', '.claude/settings.local.json', deny('Bash(touch:*)'), 'touch a', true],
    ['codex', '.codex/rules/own.rules', 'prefix_rule(pattern=["touch"], decision="forbidden")', 'touch a', true],
    ['codex', '.codex/rules/own.rules', 'prefix_rule(pattern=["touch"], decision="forbidden")', 'ls', false],
    ['codex', '.codex/rules/own.rules', 'prefix_rule(pattern=[["rm", "touch"]], decision="prompt")', 'ls', true],
    ['codex', '.codex/rules/own.rules', 'prefix_rule(pattern=["touch"], decision="allow")', 'touch a', false],
    ['gemini-cli', '.gemini/settings.json', '{"tools":{"exclude":["run_shell_command(touch)"]}}', 'touch a', true],
    ['gemini-cli', '.gemini/settings.json', '{"tools":{"exclude":["run_shell_command(touch)"]}}', 'ls', false],
    ['opencode', 'opencode.json', '{"permission":{"bash":{"*":"allow","touch *":"deny"}}}', 'touch a', true],
    ['opencode', 'opencode.json', '{"permission":{"bash":{"*":"allow","touch *":"deny"}}}', 'ls', false],
    ['opencode', 'opencode.jsonc', '{"permission":{"bash":"ask"}}', 'ls', true],
  ])('%s, %s: %s for `%s`: %s', (host, path, text, command, expected) => {
    expect(mayRefuse(host, path, text, command)).toBe(expected)
  })

  it('may be in a file that can’t be read', () => {
    const workspace = temporaryFolder()
    mkdirSync(join(workspace, CLAUDE), { recursive: true })
    expect(mayHaveOwnRule('claude-code', 'ls', { pid: process.pid, workspace })).toBe(true)
  })

  it('of Copilot CLI is a flag', () => {
    expect(copilotRule('shell(touch:*)')).toEqual([['touch']])
    expect(copilotRule('shell')).toEqual([[]])
    expect(copilotRule('write')).toEqual([])
  })
})
