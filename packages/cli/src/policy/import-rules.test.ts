import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lines, importPlace as place } from '@countersign/testing/command/import-place'
import { describe, expect, it } from 'vitest'

describe('importing rules of Claude Code', () => {
  it.each([
    ['allow', 'Bash(npm run test:*)', 'automatic {"command":{"program":"npm","verb":"run test"}}'],
    ['allow', 'Bash(git diff *)', 'automatic {"command":{"program":"git","verb":"diff"}}'],
    ['allow', 'Bash(npm run build)', 'automatic {"kind":"execute","args":{"command":"npm run build"}}'],
    ['allow', 'Bash(git * main)', 'left: Bash(git * main)'],
    ['allow', 'Bash(rm -rf build:*)', 'left: Bash(rm -rf build:*)'],
    ['deny', 'Bash(rm -rf:*)', 'confirm! {"command":{"program":"rm"}}'],
    ['deny', 'Bash(curl:*)', 'deny {"command":{"program":"curl"}}'],
    ['ask', 'Bash(git push:*)', 'confirm! {"command":{"program":"git","verb":"push"}}'],
    ['allow', 'Bash', 'automatic {"kind":"execute"}'],
    ['deny', 'Read(./.env)', 'deny {"kind":"read","path":[".env",".env/**"]}'],
    ['deny', 'Read(secrets)', 'deny {"kind":"read","path":["**/secrets","**/secrets/**"]}'],
    ['allow', 'Edit(src/**)', 'automatic {"kind":"write","path":{"glob":["src/**"],"inside":"${workspace}"}}'],
    ['allow', 'Write(src/**)', 'left: Write(src/**)'],
    ['allow', 'Bash(* --version)', 'left: Bash(* --version)'],
    ['deny', 'Bash(* --force)', 'confirm! {"kind":"execute"}'],
    ['deny', 'Bash(./deploy.sh:*)', 'confirm! {"command":{"program":"deploy.sh"}}'],
    ['deny', 'Bash(FOO=1 make:*)', 'confirm! {"command":{"program":"make"}}'],
    ['allow', 'mcp__*', 'left: mcp__*'],
    ['deny', 'mcp__*', 'deny {"tool":"*/*"}'],
    ['allow', '*', 'left: *'],
    ['deny', 'mcp__a__b__c', 'deny {"tool":["a/b__c","a__b/c"]}'],
    ['allow', 'mcp__a__b__c', 'left: mcp__a__b__c'],
    ['deny', 'mcp__github__push(main)', 'confirm! {"tool":"github/push"}'],
    ['deny', 'Agent(Explore)', 'confirm! {"tool":"Agent"}'],
    ['allow', 'Agent(Explore)', 'left: Agent(Explore)'],
    ['allow', 'Edit(//srv/data/**)', 'automatic {"kind":"write","path":["/srv/data/**"]}'],
    ['allow', 'Read(~/notes/**)', 'automatic {"kind":"read","path":["~/notes/**"]}'],
    ['deny', 'Edit(!src/**)', 'left: Edit(!src/**)'],
    ['allow', 'WebFetch(domain:docs.example.com)', 'automatic {"kind":"fetch","url":"docs.example.com"}'],
    ['ask', 'mcp__github', 'confirm! {"tool":"github/*"}'],
    ['allow', 'mcp__github__list_issues', 'automatic {"tool":"github/list_issues"}'],
    ['allow', 'WebSearch', 'automatic {"tool":"WebSearch"}'],
    ['allow', 'Bash(FOO=1 make:*)', 'left: Bash(FOO=1 make:*)'],
    ['allow', 'Bash(./deploy.sh:*)', 'left: Bash(./deploy.sh:*)'],
  ])('carries %s %s over', async (effect, rule, expected) => {
    const { read } = place()
    const { carried } = await read('claude-code', 's.json', JSON.stringify({ permissions: { [effect]: [rule] } }))
    expect(lines(carried)).toEqual([expected])
  })

  it('lists modes and folders that have no counterpart', async () => {
    const { read } = place()
    const text = '{ "permissions": { "defaultMode": "bypassPermissions", "additionalDirectories": ["../x"], }, } // end'
    const { carried, policy } = await read('claude-code', 's.json', text)
    expect(lines(carried)).toEqual(['left: defaultMode: bypassPermissions', 'left: additionalDirectories: ../x'])
    expect(policy).toContain('# Not imported:')
  })
})

describe('importing rules of other products', () => {
  it('reads prefix rules of Codex with alternatives, comments and either quotes', async () => {
    const { read } = place()
    const text = `# prefix_rule(pattern=["no"], decision="allow")
prefix_rule(
    pattern = ["git", ["status", 'log']],  # reads
    decision = "allow",
    justification = "only ) reads",
)
prefix_rule(pattern=["rm"], decision="forbidden")
prefix_rule(pattern=["gh", "pr", "merge"], decision="prompt")
prefix_rule(pattern=words, decision="allow")
`
    expect(lines((await read('codex', 'default.rules', text)).carried)).toEqual([
      'automatic {"command":{"program":"git","verb":"status"}}',
      'automatic {"command":{"program":"git","verb":"log"}}',
      'deny {"command":{"program":"rm"}}',
      'confirm! {"command":{"program":"gh","verb":"pr merge"}}',
      'left: prefix_rule(pattern=words, decision="allow")',
    ])
  })

  it('reads settings of Codex that have no counterpart', async () => {
    const { read } = place()
    const text = 'approval_policy = "never"\n[mcp_servers.docs]\ndisabled_tools = ["write"]\n'
    expect(lines((await read('codex', 'config.toml', text)).carried)).toEqual([
      'deny {"tool":"docs/write"}',
      'left: approval_policy = "never"',
    ])
  })

  it('reads policies and settings of Gemini CLI', async () => {
    const { read } = place()
    const toml = `[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git status", "npm test"]
decision = "allow"
priority = 100
[[rule]]
toolName = "write_file"
argsPattern = "secret"
decision = "allow"
[[rule]]
mcpName = "github"
decision = "ask_user"
`
    expect(lines((await read('gemini', 'rules.toml', toml)).carried)).toEqual([
      'automatic {"command":{"program":"git","verb":"status"}}',
      'automatic {"command":{"program":"npm","verb":"test"}}',
      expect.stringMatching(/^left: /),
      'confirm! {"tool":["github/*"]}',
    ])
    const settings = {
      tools: { allowed: ['run_shell_command(git log)', 'read_file'], exclude: ['run_shell_command(rm)'] },
      mcpServers: { db: { trust: true, excludeTools: ['drop'] } },
    }
    expect(lines((await read('gemini', 'settings.json', JSON.stringify(settings))).carried)).toEqual([
      'automatic {"command":{"program":"git","verb":"log"}}',
      'automatic {"tool":"read_file"}',
      'deny {"command":{"program":"rm"}}',
      'deny {"tool":"db/drop"}',
      'left: trust: true',
    ])
  })

  it.each([
    ['terminal', 'mkdir', true, 'automatic {"command":{"program":"mkdir"}}'],
    ['terminal', 'git push', false, 'confirm! {"command":{"program":"git","verb":"push"}}'],
    ['terminal', '/^git (status|diff)\\b/', true, 'automatic {"command":{"program":["git"],"verb":["status","diff"]}}'],
    ['terminal', '/rm.*/', true, 'left: /rm.*/: true'],
    ['terminal', '/^npm run build$/', true, 'left: /^npm run build$/: true'],
    [
      'terminal',
      'make all',
      { approve: true, matchCommandLine: true },
      'automatic {"kind":"execute","args":{"command":"make all"}}',
    ],
    ['terminal', '/^(sudo|npm publish)\\b/', true, 'left: /^(sudo|npm publish)\\b/: true'],
    ['terminal', '/^git status|rm/', true, 'left: /^git status|rm/: true'],
    ['terminal', '/find\\b.*-exec/', false, 'confirm! {"command":{"program":"find"}}'],
    ['edits', '**/*', true, 'automatic {"kind":"write","path":{"glob":["**/*"],"inside":"${workspace}"}}'],
    ['edits', '**/.vscode/**', false, 'confirm! {"kind":["write","delete","move"],"path":"**/.vscode/**"}'],
    [
      'urls',
      'https://docs.example.com/*',
      true,
      'automatic {"kind":"fetch","url":{"scheme":"https","host":"docs.example.com"}}',
    ],
    ['urls', 'https://example.com/api/*', true, 'left: https://example.com/api/*: true'],
  ] as const)('reads %s rules of VS Code: %s', async (area, name, value, expected) => {
    const { read } = place()
    const text = JSON.stringify({ [`chat.tools.${area}.autoApprove`]: { [name]: value } })
    expect(lines((await read('vscode', 'settings.json', text)).carried)).toEqual([expected])
  })

  it('reads policies of ADH CLI by their tool, conditions and priority', async () => {
    const { read } = place()
    const policies = `
commands:
  safe: { pattern: execute_command, conditions: [{ command_matches: ["ls*", "pwd"] }], supervision: notify, priority: 10 }
  git: { pattern: execute_command, conditions: [{ command_starts_with: ["git status"] }], supervision: automatic, priority: 10 }
  rm: { pattern: execute_command, conditions: [{ command_matches: ["rm*"] }], supervision: manual, priority: 20 }
  root: { pattern: execute_command, conditions: [{ command_matches: ["rm -rf /*"] }], supervision: deny, priority: 100 }
  rest: { pattern: execute_command, priority: 0 }
filesystem:
  read: { pattern: read_file, supervision: automatic, restrictions: [{ type: size_limit }] }
  system: { pattern: "*", conditions: [{ path_matches: ["/etc/*"] }], supervision: deny }
  old: { pattern: "*", supervision: automatic, enabled: false }
  odd: { pattern: copy, conditions: [{ size_above: 3 }], supervision: automatic }
`
    expect(lines((await read('adh', 'policies.yaml', policies)).carried)).toEqual([
      'notify {"command":{"program":"ls"}}',
      'notify {"kind":"execute","args":{"command":"pwd"}}',
      'automatic {"command":{"program":"git","verb":"status"}}',
      'manual! {"command":{"program":"rm*"}}',
      'confirm! {"command":{"program":"rm"}}',
      'confirm {"tool":"execute_command"}',
      expect.stringMatching(/^left: .*read_file/),
      'deny {"path":["/etc/**"]}',
      expect.stringMatching(/^left: .*enabled/),
      expect.stringMatching(/^left: .*size_above/),
    ])
  })

  it('reads preferences of ADH CLI, where those of a tool only tighten', async () => {
    const { read } = place()
    const preferences =
      'tools: { deploy: { supervision: manual }, sync: automatic }\nauto_approve: ["list_*"]\nnever_allow: [format]\n'
    expect(lines((await read('adh', 'policy_preferences.yaml', preferences)).carried)).toEqual([
      'manual! {"tool":"deploy"}',
      'left: sync: automatic',
      'automatic {"tool":"list_*"}',
      'deny {"tool":"format"}',
    ])
  })
})

describe('an imported policy', () => {
  it('names the origin of every rule, and works as a policy', async () => {
    const { read, run, home } = place()
    const rules = { allow: ['Bash(git diff:*)'], deny: ['Bash(git push:*)'] }
    const { policy } = await read('claude-code', 's.json', JSON.stringify({ permissions: rules }))
    expect(policy).toContain('# s.json permissions.deny: Bash(git push:*)')
    writeFileSync(join(home, 'policy.yaml'), policy, { mode: 0o600 })
    const { stdout } = await run(['policy', 'explain', '--', 'git', 'push'])
    expect(stdout).toContain('claude-code-1')
    expect((await run(['policy', 'lint'])).code).toBe(0)
  })

  it('can’t be given more lines by a foreign file', async () => {
    const { read } = place()
    const text = 'Bash(a\nrules: [{ tool: "*", supervision: automatic }]\n*b)'
    const { policy } = await read('claude-code', 's.json', JSON.stringify({ permissions: { allow: [text] } }))
    expect(policy.split('\n').filter((line) => !line.startsWith('#') && line !== '')).toEqual(['version: 1'])
  })

  it('refuses a file that it can’t read', async () => {
    const { run, cwd } = place()
    writeFileSync(join(cwd, 's.json'), '{ "permissions": ')
    const { stderr, code } = await run(['policy', 'import', '--from', 'claude-code', '--file', 's.json'])
    expect(stderr).toContain('`s.json` is not valid JSON; fix the file, then import it again')
    expect(code).not.toBe(0)
    expect((await run(['policy', 'import', '--from', 'codex', '--file', 'none'])).stderr).toContain(
      'cannot be read (ENOENT)',
    )
  })
})
