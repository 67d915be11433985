import { describe, expect, it } from 'vitest'
import type { HostName } from '../contract/host-name.ts'
import { contractOf } from './contracts.ts'

const PROJECT = '/home/you/project'

const CLAUDE = {
  session_id: 's1',
  transcript_path: '/home/you/.claude/s1.jsonl',
  cwd: PROJECT,
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 't1',
}
const GEMINI = {
  session_id: 's1',
  cwd: PROJECT,
  hook_event_name: 'BeforeTool',
  tool_name: 'mcp_my_server_get_it',
  tool_input: {},
}
const COPILOT = { sessionId: 's1', timestamp: 1, cwd: PROJECT, toolName: 'bash', toolArgs: { command: 'ls' } }
const VSCODE = {
  timestamp: '2026-02-09T10:30:00.000Z',
  cwd: PROJECT,
  sessionId: 's1',
  hookEventName: 'PreToolUse',
  transcript_path: '/home/you/t.jsonl',
  tool_name: 'run_in_terminal',
  tool_input: { command: 'ls' },
  tool_use_id: 't1',
}
const CURSOR = {
  conversation_id: 's1',
  generation_id: 'g1',
  model: 'm',
  hook_event_name: 'preToolUse',
  cursor_version: '3.9.16',
  workspace_roots: [PROJECT],
  user_email: null,
  transcript_path: null,
  tool_name: 'Shell',
  tool_input: { command: 'ls' },
  tool_use_id: 't1',
}
const CLINE = {
  clineVersion: '4',
  hookName: 'tool_call',
  taskId: 'c1',
  sessionContext: { rootSessionId: 's1' },
  workspaceRoots: [PROJECT],
  agent_id: 'a1',
  parent_agent_id: null,
  tool_call: { id: 't1', name: 'execute_command', input: { command: 'ls' } },
  preToolUse: { toolName: 'execute_command', parameters: { command: 'ls' } },
}
const GOOSE = {
  event: 'PreToolUse',
  session_id: 's1',
  matcher_context: 'developer__shell',
  tool_call_id: 't1',
  tool_name: 'developer__shell',
  tool_input: { command: 'ls' },
  working_dir: PROJECT,
}
const OPENCODE = {
  input: { tool: 'bash', sessionID: 'child', callID: 't1' },
  output: { args: { command: 'ls' } },
  directory: PROJECT,
}

const CALL = { session: 's1', cwd: PROJECT, toolCall: 't1', server: null, args: { command: 'ls' }, agent: null }

describe('an event as the documentation has it', () => {
  it.each<[HostName, string, object, object]>([
    ['vscode', 'PreToolUse', VSCODE, { kind: 'before-tool', ...CALL, tool: 'run_in_terminal' }],
    [
      'vscode',
      'PostToolUse',
      { ...VSCODE, hookEventName: 'PostToolUse', tool_response: 'a.txt' },
      { kind: 'after-tool', ...CALL, outcome: 'completed', exitCode: null, output: 'a.txt' },
    ],
    ['vscode', 'SessionStart', { ...VSCODE, hookEventName: 'SessionStart' }, { kind: 'session-start', session: 's1' }],
    ['vscode', 'Stop', { ...VSCODE, hookEventName: 'Stop' }, { kind: 'other', name: 'Stop' }],
    ['cursor', 'preToolUse', CURSOR, { kind: 'before-tool', ...CALL, tool: 'Shell' }],
    ['cursor', 'preToolUse', { ...CURSOR, tool_input: '{"command":"ls"}' }, { kind: 'before-tool', ...CALL }],
    [
      'cursor',
      'beforeShellExecution',
      { ...CURSOR, hook_event_name: 'beforeShellExecution', command: 'ls', cwd: '/tmp' },
      { kind: 'before-tool', tool: 'Shell', args: { command: 'ls' }, cwd: '/tmp' },
    ],
    [
      'cursor',
      'beforeMCPExecution',
      {
        ...CURSOR,
        hook_event_name: 'beforeMCPExecution',
        tool_name: 'get_run',
        tool_input: '{"id":1}',
        mcp_server_name: 'board',
      },
      { kind: 'before-tool', tool: 'get_run', server: 'board', args: { id: 1 } },
    ],
    [
      'cursor',
      'postToolUseFailure',
      { ...CURSOR, hook_event_name: 'postToolUseFailure', error_message: 'no' },
      { kind: 'after-tool', ...CALL, outcome: 'failed', exitCode: null, output: 'no' },
    ],
    [
      'cursor',
      'sessionStart',
      { session_id: 's1', hook_event_name: 'sessionStart', workspace_roots: [PROJECT] },
      { kind: 'session-start', session: 's1', cwd: PROJECT, transcript: null },
    ],
    ['cline', 'PreToolUse', CLINE, { kind: 'before-tool', ...CALL, tool: 'execute_command' }],
    [
      'cline',
      'PreToolUse',
      { ...CLINE, agent_id: 'a2', parent_agent_id: 'a1' },
      { kind: 'before-tool', session: 's1', agent: { id: 'a2', type: null } },
    ],
    [
      'cline',
      'PostToolUse',
      { ...CLINE, hookName: 'tool_result', tool_result: { ...CLINE.tool_call, output: 'a', error: 'no' } },
      { kind: 'after-tool', ...CALL, outcome: 'failed', output: 'no' },
    ],
    [
      'cline',
      'TaskStart',
      { ...CLINE, hookName: 'agent_start' },
      { kind: 'session-start', session: 's1', cwd: PROJECT },
    ],
    ['cline', 'TaskComplete', { ...CLINE, hookName: 'agent_end' }, { kind: 'other', name: 'agent_end' }],
    ['goose', 'PreToolUse', GOOSE, { kind: 'before-tool', ...CALL, tool: 'developer__shell' }],
    [
      'goose',
      'PostToolUse',
      { ...GOOSE, event: 'PostToolUse', tool_output: [{ type: 'text', text: 'a' }] },
      { kind: 'after-tool', ...CALL, outcome: 'completed', output: 'a' },
    ],
    [
      'goose',
      'SessionEnd',
      { event: 'SessionEnd', session_id: 's1' },
      { kind: 'session-end', session: 's1', cwd: null },
    ],
    ['copilot', 'preToolUse', { ...COPILOT, toolArgs: '{"command":"ls"}' }, { ...CALL, toolCall: null, tool: 'bash' }],
    [
      'opencode',
      'tool.execute.before',
      { ...OPENCODE, parent: 's1', agent: 'general' },
      { kind: 'before-tool', ...CALL, agent: { id: 'child', type: 'general' } },
    ],
    [
      'opencode',
      'session.deleted',
      { type: 'session.deleted', properties: { info: { id: 's1' } } },
      { kind: 'session-end', session: 's1' },
    ],
  ])('of %s, %s', (host, event, payload, expected) => {
    expect(contractOf(host).read(payload, event)).toMatchObject(expected)
  })
})

describe('arguments as JSON text', () => {
  it.each<[HostName, string, object]>([
    ['copilot', 'preToolUse', { ...COPILOT, toolArgs: '{"command":"ls","command":"rm -rf x"}' }],
    ['cursor', 'preToolUse', { ...CURSOR, tool_input: '{"command":"ls","\\u0063ommand":"rm -rf x"}' }],
  ])('of %s are refused if a key appears twice', (host, event, payload) => {
    expect(() => contractOf(host).read(payload, event)).toThrow(/without a usable/)
  })
})

describe('the server of a tool', () => {
  it.each([
    ['mcp__github__create_issue', 'github', 'create_issue'],
    ['mcp__claude_ai_Gmail__send', 'claude_ai_Gmail', 'send'],
    ['mcp__a__b__c', null, 'mcp__a__b__c'],
    ['mcp__a___b', null, 'mcp__a___b'],
    ['mcp__a___', null, 'mcp__a___'],
    ['mcp__a', null, 'mcp__a'],
    ['Bash', null, 'Bash'],
  ])('of %s is %s in Claude Code and Codex', (name, server, tool) => {
    for (const host of ['claude-code', 'codex'] as const)
      expect(contractOf(host).read({ ...CLAUDE, tool_name: name }, 'PreToolUse')).toMatchObject({ server, tool })
  })

  it('is what Gemini CLI tells beside the name', () => {
    const { read } = contractOf('gemini-cli')
    const mcp_context = { server_name: 'my_server', tool_name: 'get_it', command: 'npx' }
    expect(read(GEMINI, 'BeforeTool')).toMatchObject({ server: null, tool: 'mcp_my_server_get_it' })
    expect(read({ ...GEMINI, mcp_context }, 'BeforeTool')).toMatchObject({ server: 'my_server', tool: 'get_it' })
    expect(() => read({ ...GEMINI, mcp_context: { server_name: 'x' } }, 'BeforeTool')).toThrow(/`tool_name`/)
  })
})

describe('a mode that runs tools without asking', () => {
  it.each([
    ['default', false],
    ['acceptEdits', false],
    ['plan', false],
    ['dontAsk', false],
    ['bypassPermissions', true],
    ['auto', true],
    ['a mode of tomorrow', true],
  ])('%s: %s', (permission_mode, isBypassing) => {
    expect(contractOf('claude-code').read({ ...CLAUDE, permission_mode }, 'PreToolUse')).toMatchObject({ isBypassing })
  })
})

describe('the exit code of a command', () => {
  const failing = (error: unknown) => ({ ...CLAUDE, hook_event_name: 'PostToolUseFailure', error })
  const patched = (tool_response: unknown, tool_name = 'apply_patch') => ({
    ...CLAUDE,
    hook_event_name: 'PostToolUse',
    tool_name,
    tool_response,
  })
  const gemini = (llmContent: string) => ({
    ...GEMINI,
    hook_event_name: 'AfterTool',
    tool_name: 'run_shell_command',
    tool_response: { llmContent },
  })
  const copilot = (textResultForLlm: string, resultType = 'success') => ({
    ...COPILOT,
    toolResult: { resultType, textResultForLlm },
  })
  const opencode = (exit: unknown) => ({
    input: { ...OPENCODE.input, args: {} },
    output: { output: '', metadata: { exit } },
  })
  const END = '\nProcess Group PGID: 7\n</untrusted_context>'

  it.each<[string, HostName, string, object, object]>([
    ['told by its error', 'claude-code', 'PostToolUseFailure', failing('Exit code 127\nno'), { exitCode: 127 }],
    ['not told', 'claude-code', 'PostToolUseFailure', failing('Interrupted'), { exitCode: null, outcome: 'failed' }],
    ['told for a patch', 'codex', 'PostToolUse', patched('Exit code: 1\nno'), { exitCode: 1, outcome: 'failed' }],
    ['only its own words', 'codex', 'PostToolUse', patched('Exit code: 1\nno', 'Bash'), { exitCode: null }],
    ['0 if none is told', 'gemini-cli', 'AfterTool', gemini(`Output: x${END}`), { exitCode: 0, outcome: 'completed' }],
    [
      'the last one',
      'gemini-cli',
      'AfterTool',
      gemini(`Output: x\nExit Code: 0${END}\nExit Code: 3${END}`),
      { exitCode: 3 },
    ],
    [
      'with a signal',
      'gemini-cli',
      'AfterTool',
      gemini(`Output: x\nSignal: 9${END}`),
      { exitCode: null, outcome: 'failed' },
    ],
    ['not told', 'gemini-cli', 'AfterTool', gemini('Command was cancelled.'), { exitCode: null, outcome: 'completed' }],
    [
      'with a note after it',
      'gemini-cli',
      'AfterTool',
      gemini(`Output: x\nExit Code: 4${END}\n\n[System] x`),
      { exitCode: 4 },
    ],
    [
      'at the end',
      'copilot',
      'postToolUse',
      copilot('<shellId: 1 completed with exit code 0>\n<shellId: 1 completed with exit code 2>'),
      { exitCode: 2, outcome: 'failed' },
    ],
    ['not told', 'copilot', 'postToolUse', copilot('rejected', 'denied'), { exitCode: null, outcome: 'failed' }],
    ['a number', 'opencode', 'tool.execute.after', opencode(9), { exitCode: 9, outcome: 'failed' }],
    ['missing', 'opencode', 'tool.execute.after', opencode(null), { exitCode: null, outcome: 'completed' }],
  ])('%s: %s, %s', (_, host, event, payload, expected) => {
    expect(contractOf(host).read(payload, event)).toMatchObject(expected)
  })
})

describe('an event that a host is not known to send', () => {
  it.each<[string, HostName, string | undefined, unknown]>([
    ['no object', 'claude-code', 'PreToolUse', [CLAUDE]],
    ['no name', 'claude-code', 'PreToolUse', { ...CLAUDE, hook_event_name: undefined }],
    ['another name', 'claude-code', 'PostToolUse', CLAUDE],
    ['an unknown name', 'claude-code', undefined, { ...CLAUDE, hook_event_name: 'BeforeTool' }],
    ['no session', 'claude-code', 'PreToolUse', { ...CLAUDE, session_id: '' }],
    ['a long session', 'claude-code', 'PreToolUse', { ...CLAUDE, session_id: 's'.repeat(513) }],
    ['a control character in an id', 'claude-code', 'PreToolUse', { ...CLAUDE, session_id: 'a\nb' }],
    ['half a character in a name', 'claude-code', 'PreToolUse', { ...CLAUDE, tool_name: 'B\ud800' }],
    ['a relative folder', 'claude-code', 'PreToolUse', { ...CLAUDE, cwd: 'project' }],
    ['a list of arguments', 'claude-code', 'PreToolUse', { ...CLAUDE, tool_input: ['ls'] }],
    ['arguments as text', 'claude-code', 'PreToolUse', { ...CLAUDE, tool_input: '{"command":"ls"}' }],
    ['no id of the call', 'claude-code', 'PreToolUse', { ...CLAUDE, tool_use_id: null }],
    ['no mode', 'codex', 'PreToolUse', { ...CLAUDE, permission_mode: undefined }],
    ['a failure', 'codex', 'PostToolUseFailure', { ...CLAUDE, hook_event_name: 'PostToolUseFailure' }],
    ['an inherited field', 'claude-code', 'PreToolUse', Object.create(CLAUDE)],
    ['no name on its hook’s command line', 'copilot', undefined, COPILOT],
    ['text that is no JSON', 'copilot', 'preToolUse', { ...COPILOT, toolArgs: '{' }],
    ['JSON that is no object', 'copilot', 'preToolUse', { ...COPILOT, toolArgs: '["ls"]' }],
    ['an event of VS Code', 'copilot', 'preToolUse', VSCODE],
    ['an event of Claude Code', 'vscode', 'PreToolUse', CLAUDE],
    ['no command', 'cursor', 'beforeShellExecution', { ...CURSOR, hook_event_name: 'beforeShellExecution' }],
    ['another event’s payload', 'cline', 'PostToolUse', CLINE],
    ['no arguments', 'goose', 'PreToolUse', { ...GOOSE, tool_input: undefined }],
    ['a name of Node’s', 'cline', 'constructor', { ...CLINE, hookName: 'constructor' }],
  ])('is refused: %s, %s', (_, host, event, payload) => {
    expect(() => contractOf(host).read(payload, event)).toThrow(expect.objectContaining({ code: 'CS_HOST_EVENT' }))
  })

  it('is named in one line without what could move a terminal', () => {
    const payload = { ...CLAUDE, hook_event_name: `\u202e${'x'.repeat(200)}` }
    expect(() => contractOf('claude-code').read(payload, undefined)).toThrow(
      `Claude Code sent an event named \`⟦U+202E⟧${'x'.repeat(59)}\`, which is unknown; run \`countersign doctor --hosts\``,
    )
  })
})
