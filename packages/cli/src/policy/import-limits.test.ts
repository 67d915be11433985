import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Carried, loadRules, type Source } from '@countersign/hosts'
import { lines, importPlace as place } from '@countersign/testing/command/import-place'
import { describe, expect, it } from 'vitest'

describe('rules that can’t be imported', () => {
  it.each<[Source, string, string, readonly string[]]>([
    [
      'claude-code',
      's.json',
      '{ "permissions": { "disableBypassPermissionsMode": "disable" }, "hooks": {}, "sandbox": { "enabled": true }, "deniedMcpServers": [] }',
      [
        'left: disableBypassPermissionsMode: "disable"',
        'left: hooks: {}',
        'left: sandbox: {"enabled":true}',
        'left: deniedMcpServers: []',
      ],
    ],
    [
      'codex',
      'config.toml',
      'sandbox_workspace_write = { network_access = true }\n[mcp_servers.docs]\nenabled_tools = ["read"]\n',
      ['left: enabled_tools = ["read"]', 'left: sandbox_workspace_write = {"network_access":true}'],
    ],
    [
      'codex',
      'x.rules',
      'host_executable(name = "git", paths = ["/usr/bin/git"])\nnetwork_rule(host = "x.example", decision = "deny")\n',
      [
        'left: host_executable(name = "git", paths = ["/usr/bin/git"])',
        'left: network_rule(host = "x.example", decision = "deny")',
      ],
    ],
    [
      'gemini',
      's.json',
      '{ "tools": { "core": ["read_file"] }, "mcp": { "excluded": ["db"] }, "mcpServers": { "x": { "includeTools": ["a"] } } }',
      ['left: mcpServers.x.includeTools: ["a"]', 'deny {"tool":"db/*"}', 'left: tools.core: ["read_file"]'],
    ],
    [
      'gemini',
      'r.toml',
      '[[rule]]\ntoolName = "mcp_*"\ndecision = "deny"\n[[rule]]\ntoolName = "*"\ndecision = "ask_user"\npriority = 1\n[[rule]]\ncommandRegex = "rm .*"\ndecision = "deny"\n',
      ['deny {"tool":"*/*"}', 'confirm {"tool":"*"}', 'confirm! {"kind":"execute"}'],
    ],
    [
      'vscode',
      's.json',
      '{ "chat.agent.terminal.denyList": { "rm": true }, "chat.tools.terminal.blockDetectedFileWrites": "all" }',
      ['confirm! {"command":{"program":"rm"}}', 'left: chat.tools.terminal.blockDetectedFileWrites: "all"'],
    ],
    [
      'vscode',
      's.json',
      '{ "chat.tools.terminal.enableAutoApprove": false, "chat.tools.terminal.autoApprove": { "ls": true, "rm": false } }',
      ['left: ls: true', 'confirm! {"command":{"program":"rm"}}', 'left: chat.tools.terminal.enableAutoApprove: false'],
    ],
  ])('says what %s settings had no counterpart here: %s', async (from, name, text, expected) => {
    const { read } = place()
    expect(lines((await read(from, name, text)).carried)).toEqual(expected)
  })
})

describe('an import allows no more than the rules it came from', () => {
  it.each<[Source, string, string, readonly string[]]>([
    [
      'vscode',
      's.json',
      '{ "chat.tools.terminal.autoApprove": { "git": true, "/(push|fetch)/": false }, "chat.tools.edits.autoApprove": { "docs/**": true } }',
      ['left: git: true', 'left: /(push|fetch)/: false', expect.stringMatching(/^automatic {"kind":"write"/)],
    ],
    [
      'codex',
      'x.rules',
      'prefix_rule(pattern = ["git"])\nprefix_rule(pattern = forbidden_words, decision = "forbidden")\n',
      ['left: prefix_rule(pattern = ["git"])', expect.stringMatching(/^left: .*forbidden_words/)],
    ],
    [
      'codex',
      'x.rules',
      'prefix_rule(pattern = ["git"])\nprefix_rule(pattern = ["rm"], decision = forbidden)\nprefix_rule(["ls"], "prompt")\n',
      [
        'left: prefix_rule(pattern = ["git"])',
        'left: prefix_rule(pattern = ["rm"], decision = forbidden)',
        'left: prefix_rule(["ls"], "prompt")',
      ],
    ],
    [
      'claude-code',
      's.json',
      '{ "permissions": { "allow": ["WebSearch", "Edit"], "deny": ["Edit(!src/**)"] } }',
      ['left: Edit(!src/**)', 'automatic {"tool":"WebSearch"}', 'left: Edit'],
    ],
  ])('%s %s: nothing is allowed where a rule that asks or denies was lost', async (from, name, text, expected) => {
    const { read } = place()
    expect(lines((await read(from, name, text)).carried)).toEqual(expected)
  })

  it('rules for files, commands and pages are not for the tools of servers', async () => {
    const { read, run, home } = place()
    const allow = ['Read', 'Edit', 'Bash', 'WebFetch', 'Bash(git status)']
    const { policy } = await read('claude-code', 's.json', JSON.stringify({ permissions: { allow } }))
    writeFileSync(join(home, 'policy.yaml'), policy, { mode: 0o600 })
    const supervision = async (...words: readonly string[]) =>
      ((await run(['policy', 'explain', '--json', ...words])).json() as { readonly supervision: string }).supervision
    const page = ['--args', '{"path":"notes.md","content":"a"}']
    expect(await supervision('Edit', '--args', '{"file_path":"a.md","old_string":"a","new_string":"b"}')).toBe(
      'automatic',
    )
    expect(await supervision('update_page', '--server', 'notion', ...page)).toBe('confirm')
    expect(await supervision('get_file', '--server', 'github', '--args', '{"path":"a"}')).toBe('confirm')
    expect(await supervision('fetch_url', '--server', 'web', '--args', '{"url":"https://a.example"}')).toBe('confirm')
    expect(await supervision('execute_command', '--server', 'desktop', '--args', '{"command":"git status"}')).toBe(
      'confirm',
    )
  })

  it('no secret of the settings is copied', async () => {
    const { read } = place()
    const token = `ghp_${'a1B2c3D4e5'.repeat(3)}f6G7h8`
    const hooks = { PreToolUse: [{ command: `curl -H 'Authorization: Bearer ${token}' https://a.example` }] }
    const permissions = { allow: [`Bash(GITHUB_TOKEN=${token} gh pr list)`] }
    const { policy, carried } = await read('claude-code', 's.json', JSON.stringify({ permissions, hooks }))
    expect(lines(carried)).toHaveLength(2)
    expect(policy + JSON.stringify(carried)).not.toContain(token)
  })

  it('edits of VS Code stay in the workspace', async () => {
    const { read, run, home } = place()
    const { policy } = await read('vscode', 's.json', '{ "chat.tools.edits.autoApprove": { "**/*": true } }')
    writeFileSync(join(home, 'policy.yaml'), policy, { mode: 0o600 })
    const edit = (path: string) =>
      run(['policy', 'explain', '--json', 'Write', '--args', JSON.stringify({ file_path: path, content: 'a' })])
    expect((await edit('/srv/elsewhere/a.md')).json()).toMatchObject({ supervision: 'confirm' })
    expect((await edit('docs/a.md')).json()).toMatchObject({ supervision: 'automatic' })
  })

  it('what a project’s settings allow is not applied to every project', async () => {
    const rule = {
      kind: 'rule',
      from: 'f',
      text: 't',
      when: { tool: 'x' },
      supervision: 'automatic',
      floor: false,
    } as const
    const denied: Carried = { ...rule, supervision: 'deny' }
    const { allowedInProject } = await loadRules()
    expect(allowedInProject(rule, { scope: 'project' })).toMatchObject({ kind: 'left', text: 't' })
    expect(allowedInProject(rule, { scope: 'user' })).toBe(rule)
    expect(allowedInProject(denied, { scope: 'project' })).toBe(denied)
  })
})
