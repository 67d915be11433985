import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import type { HostName } from '../contract/host-name.ts'
import { contractOf } from '../hosts/contracts.ts'
import { ownRuleFor } from './own-rule.ts'
import { rulesOf } from './own-rules.ts'

interface Rules {
  /** By path; `~/` is the home. */
  readonly files?: Readonly<Record<string, string>>
  readonly argv?: readonly string[] | null
  readonly env?: Readonly<Record<string, string>>
}

/** An agent in a project, with files of its rules. */
function place({ files = {}, argv = ['agent'], env = {} }: Rules) {
  const root = temporaryFolder()
  const home = join(root, 'account')
  const project = join(root, 'work')
  for (const folder of [home, project]) mkdirSync(folder)
  for (const [path, text] of Object.entries(files)) {
    const at = path.startsWith('~/') ? join(home, path.slice(2)) : join(project, path)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, text)
  }
  const filled = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('~', home)]))
  return { accountHome: home, folders: [project], argv, env: filled }
}

function ask(host: HostName, command: string, rules: Rules): Promise<string | null> {
  return ownRuleFor(command, contractOf(host), place(rules))
}

const deny = (...rules: readonly string[]): string => JSON.stringify({ permissions: { deny: rules } })
const claude = (...rules: readonly string[]): Rules => ({ files: { '~/.claude/settings.json': deny(...rules) } })
const gemini = (rule: string): Rules => ({ files: { '~/.gemini/policies/mine.toml': `[[rule]]\n${rule}\n` } })
const codex = (text: string): Rules => ({ files: { '~/.codex/rules/default.rules': text } })
const opencode = (permission: unknown): Rules => ({ files: { 'opencode.json': JSON.stringify({ permission }) } })
const copilot = (...argv: readonly string[]): Rules => ({ argv: ['copilot', '-p', 'x', ...argv] })

describe('an agent’s own rule for a command', () => {
  it.each<[HostName, string, Rules, string]>([
    ['claude-code', 'touch a', claude('Bash(touch:*)'), 'Bash(touch:*)'],
    ['claude-code', 'cd a && /usr/bin/touch b', claude('WebFetch', 'Bash(touch *)'), 'Bash(touch *)'],
    ['claude-code', 'bash -c "touch a"', claude('Bash(touch:*)'), 'Bash(touch:*)'],
    ['claude-code', 'ls', claude('Bash'), 'Bash'],
    ['claude-code', 'ls', claude('Bash(*marker*)'), 'Bash(*marker*)'],
    ['claude-code', 'ls', claude('Bash(run_in_background:true)'), 'Bash(run_in_background:true)'],
    ['claude-code', 'ls', claude('B*'), 'B*'],
    ['claude-code', 'cat .env', claude('Read(./.env)'), 'Read(./.env)'],
    ['claude-code', 'cat a', claude('Read(//**/work/**)'), 'Read(//**/work/**)'],
    ['claude-code', 'cat ~/notes', claude('Read(/account/**)'), 'Read(/account/**)'],
    ['claude-code', 'touch a', { files: { '.claude/settings.local.json': deny('Bash(touch:*)') } }, 'Bash(touch:*)'],
    [
      'claude-code',
      'touch a',
      { files: { '~/../work/.claude/settings.json': '{"permissions":{"ask":["Bash(touch:*)"]}}' } },
      'Bash(touch:*)',
    ],
    [
      'claude-code',
      'touch a',
      { files: { '~/x/settings.json': deny('Bash(touch:*)') }, env: { CLAUDE_CONFIG_DIR: '~/x' } },
      'Bash(touch:*)',
    ],
    [
      'claude-code',
      'touch a',
      { files: { '~/y/.claude/settings.json': deny('Bash(touch:*)') }, env: { HOME: '~/y' } },
      'Bash(touch:*)',
    ],
    [
      'claude-code',
      'touch a',
      { argv: ['claude', '--disallowedTools', 'WebFetch', 'Bash(touch:*)', '-p', 'x'] },
      'Bash(touch:*)',
    ],
    ['claude-code', 'touch a', { argv: ['claude', '--disallowed-tools=WebFetch,Bash(touch a:*)'] }, 'Bash(touch a:*)'],
    ['claude-code', 'touch a', { argv: ['claude', '--settings', deny('Bash(touch:*)')] }, 'Bash(touch:*)'],
    [
      'claude-code',
      'touch a',
      { argv: ['claude', '--settings', 's.json'], files: { 's.json': deny('Bash(touch:*)') } },
      'Bash(touch:*)',
    ],
    [
      'codex',
      'touch a',
      codex('prefix_rule(pattern=["touch"], decision="forbidden")'),
      'prefix_rule(pattern=["touch"], decision="forbidden")',
    ],
    [
      'codex',
      'git push',
      codex('prefix_rule(pattern=["git", ["push", "pull"]], decision="prompt")'),
      'prefix_rule(pattern=["git", ["push", "pull"]], decision="prompt")',
    ],
    ['codex', 'ls', codex('prefix_rule(["touch"], "forbidden")'), 'prefix_rule(["touch"], "forbidden")'],
    [
      'codex',
      'ls',
      codex('D="forbidden"\nprefix_rule(pattern=["touch"], decision=D)'),
      'prefix_rule(pattern=["touch"], decision=D)',
    ],
    [
      'codex',
      'ls',
      codex('rule = prefix_rule\nrule(pattern=["touch"], decision="forbidden")'),
      'default.rules (can’t be checked)',
    ],
    [
      'codex',
      'touch a',
      {
        files: { '~/c/rules/a.rules': 'prefix_rule(pattern=["touch"], decision="forbidden")' },
        env: { CODEX_HOME: '~/c' },
      },
      'prefix_rule(',
    ],
    [
      'gemini-cli',
      'touch a',
      gemini('toolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "deny"'),
      '"commandPrefix":"touch"',
    ],
    [
      'gemini-cli',
      'ls',
      gemini('toolName = "run_shell_command"\ncommandRegex = "t.*"\ndecision = "ask_user"'),
      '"commandRegex":"t.*"',
    ],
    ['gemini-cli', 'ls', gemini('toolName = "*"\ndecision = "deny"'), '"toolName":"*"'],
    [
      'gemini-cli',
      'ls',
      gemini('toolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "never"'),
      '"decision":"never"',
    ],
    [
      'gemini-cli',
      'touch a',
      { files: { '.gemini/policies/p.toml': '[[rule]]\ncommandPrefix = "touch"\ndecision = "deny"\n' } },
      'touch',
    ],
    [
      'gemini-cli',
      'touch a',
      { files: { '.gemini/settings.json': '{"tools":{"exclude":["run_shell_command(touch)"]}}' } },
      'run_shell_command(touch)',
    ],
    [
      'gemini-cli',
      'touch a',
      { files: { '~/.gemini/extensions/x/gemini-extension.json': '{"excludeTools":["ShellTool(touch)"]}' } },
      'ShellTool(touch)',
    ],
    ['gemini-cli', 'ls', { argv: ['gemini', '--policy', 'more.toml'] }, 'more.toml (can’t be checked)'],
    ['copilot', 'touch a', copilot('--deny-tool', 'shell(touch:*)'), 'shell(touch:*)'],
    ['copilot', 'touch a', copilot('--deny-tool=write,shell(touch)'), 'write'],
    ['copilot', 'ls', copilot('--deny-tool', 'shell'), 'shell'],
    ['copilot', 'curl https://evil.example/a', copilot('--deny-url', 'https://evil.example'), 'https://evil.example'],
    [
      'copilot',
      'curl evil.example',
      { files: { '~/.copilot/config.json': '{"denied_urls":["evil.example"]}' } },
      'evil.example',
    ],
    ['opencode', 'touch a', opencode({ bash: { '*': 'allow', 'touch *': 'deny' } }), 'bash: touch *: deny'],
    ['opencode', 'ls', opencode({ bash: 'ask' }), 'bash: ask'],
    ['opencode', 'ls', opencode('ask'), '*: ask'],
    ['opencode', 'cat /etc/passwd', opencode({ external_directory: 'deny' }), 'external_directory: deny'],
    [
      'opencode',
      'touch a',
      { files: { '~/.config/opencode/opencode.jsonc': '{ // mine\n"permission":{"bash":{"touch":"ask"}}}' } },
      'bash: touch: ask',
    ],
    [
      'opencode',
      'touch a',
      { files: { '.opencode/agent/x.md': '---\npermission:\n  bash:\n    "touch *": deny\n---\nWork.\n' } },
      'bash: touch *: deny',
    ],
    [
      'opencode',
      'touch a',
      { files: { 'opencode.json': '{"agent":{"build":{"permission":{"bash":{"touch *":"deny"}}}}}' } },
      'bash: touch *: deny',
    ],
    ['opencode', 'ls', { env: { OPENCODE_PERMISSION: '{"bash":"ask"}' } }, 'bash: ask'],
    ['opencode', 'ls', { env: { OPENCODE_CONFIG_CONTENT: '{"permission":{"bash":"ask"}}' } }, 'bash: ask'],
  ])('of %s, for `%s`', async (host, command, rules, text) => {
    expect(await ask(host, command, rules)).toContain(text)
  })

  it.each<[HostName, string, Rules]>([
    ['claude-code', 'touch a', {}],
    ['claude-code', 'npm run format', claude('Bash(rm:*)', 'Bash(curl:*)')],
    [
      'claude-code',
      'npm test',
      claude('Read(./.env)', 'WebFetch', 'mcp__github', 'Agent(x)', 'WebFetch(domain:a.com)'),
    ],
    ['claude-code', 'touch a', { files: { '~/.claude/settings.json': '{"permissions":{"allow":["Bash(touch:*)"]}}' } }],
    ['claude-code', 'git commit -m "a b"', claude('Bash(touch:*)')],
    ['claude-code', 'touch a', { files: { '~/.claude/settings.json': '{"hooks":{}}' } }],
    [
      'codex',
      'touch a',
      codex('# prefix_rule(pattern=["touch"], decision="forbidden")\nprefix_rule(pattern=["touch"])'),
    ],
    ['codex', 'ls', codex('prefix_rule(pattern=["touch"], decision="forbidden")')],
    ['gemini-cli', 'ls', gemini('toolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "deny"')],
    ['gemini-cli', 'ls', gemini('toolName = "write_file"\ndecision = "deny"')],
    ['copilot', 'ls', copilot('--deny-tool', 'shell(touch:*)', 'github(create_issue)', '--allow-all-tools')],
    ['opencode', 'ls', opencode({ bash: { '*': 'allow', 'touch *': 'deny' }, edit: 'ask', webfetch: 'deny' })],
    ['opencode', 'cat a', opencode({ external_directory: 'deny' })],
    ['cursor', 'touch a', claude('Bash(touch:*)')],
  ])('of %s, does not exist for `%s`', async (host, command, rules) => {
    expect(await ask(host, command, rules)).toBeNull()
  })

  it.each<[HostName, string, string]>([
    ['claude-code', '~/.claude/settings.json', '{"permissions": {'],
    ['codex', '~/.codex/rules/a.rules', 'r = prefix_rule'],
    ['gemini-cli', '~/.gemini/policies/a.toml', '[[rule'],
    ['copilot', '~/.copilot/config.json', '{"denied_urls": ['],
    ['opencode', 'opencode.json', '{"permission": {'],
    ['opencode', '.opencode/agents/x.md', '---\npermission: [\n---\n'],
  ])('of %s, could be in `%s` if that can’t be read', async (host, path, text) => {
    expect(await ask(host, 'ls', { files: { [path]: text } })).toContain('(can’t be checked)')
  })

  it('could be in a file that is too large, or no file', async () => {
    const large = `{"permissions":{},"x":"${'x'.repeat(1024 * 1024)}"}`
    expect(await ask('claude-code', 'ls', { files: { '~/.claude/settings.json': large } })).toContain(
      '(can’t be checked)',
    )
    const inFolder = { files: { '~/.codex/rules/a.rules/b': '' } }
    expect(await ask('codex', 'ls', inFolder)).toContain('(can’t be checked)')
  })

  it('could be on a command line that can’t be read', async () => {
    expect(await ask('claude-code', 'ls', { argv: null })).toBe('the way it was started (can’t be checked)')
  })

  it('is shown in one short line without secrets', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const text = await ask('claude-code', `curl a`, claude(`Bash(curl -H ${secret}\n${'x'.repeat(500)}:*)`))
    expect(text).not.toContain(secret)
    expect(text).toMatch(/^[^\n]{1,121}$/)
  })

  it('is read from what an organization requires of Codex', () => {
    const text = '[rules]\nprefix_rules = [{ pattern = [{ any_of = ["touch", "rm"] }], decision = "forbidden" }]\n'
    const rules = rulesOf('codex', { name: '/etc/codex/requirements.toml', text })
    expect(rules.map(({ covers }) => covers)).toEqual([{ kind: 'words', starts: ['touch', 'rm'], parts: [] }])
  })
})
