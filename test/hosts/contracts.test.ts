import { homedir } from 'node:os'
import { join } from 'node:path'
import { contractOf, type HostEvent, type HostName } from '@countersign/hosts'
import { describe, expect, it } from 'vitest'
import { DRIVERS } from './drivers/drivers.ts'
import { knownFates } from './rig/dead-hook-table.ts'
import { HOST_NAMES, PROGRAMS } from './rig/programs.ts'
import { recordedEvents } from './rig/recorded-events.ts'

const id = (last: number): string => `00000000-0000-4000-8000-${`${last}`.padStart(12, '0')}`
const opencodeId = (last: number): string => `ses_${`${last}`.padStart(26, '0')}`

const PROJECT = '/home/you/project'
const CLAUDE_FILE = `/home/you/.claude/projects/-home-you-project/${id(1)}`
const CODEX_FILE = '/home/you/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-'

const CLAUDE = { session: id(1), cwd: PROJECT, transcript: `${CLAUDE_FILE}.jsonl` }
const CODEX = { ...CLAUDE, transcript: `${CODEX_FILE}${id(1)}.jsonl` }
const GEMINI = {
  ...CLAUDE,
  transcript: '/home/you/.gemini/tmp/project/chats/session-2026-01-01T00-00-00000000.jsonl',
}
const COPILOT = { ...CLAUDE, transcript: copilotFile(id(1)) }
const OPENCODE = { session: opencodeId(1), cwd: null, transcript: null }

const MAIN = { server: null, agent: null }
const BEFORE = { kind: 'before-tool', isBypassing: false }
const AFTER = { kind: 'after-tool', outcome: 'completed', exitCode: null }
const FAILED = { ...AFTER, outcome: 'failed' }

function copilotFile(session: string): string {
  return join(process.env['COPILOT_HOME'] ?? join(homedir(), '.copilot'), 'session-state', session, 'events.jsonl')
}

const others = (...names: readonly string[]) =>
  Object.fromEntries(names.map((file) => [file, { kind: 'other', name: file.split('-')[0] }]))

const claude = (toolCall: string, tool: string, args: object) => ({ ...CLAUDE, ...MAIN, toolCall, tool, args })
const CLAUDE_AGENT = {
  agent: { id: 'a0000000000000001', type: 'general-purpose' },
  transcript: `${CLAUDE_FILE}/subagents/agent-a0000000000000001.jsonl`,
}
const AGENT_ARGS = {
  description: 'A command',
  prompt: 'SUB-AGENT: run one command.',
  subagent_type: 'general-purpose',
  run_in_background: false,
}
const WRITE_ARGS = { file_path: '/home/you/project/new.txt', content: 'hello' }

const codex = (toolCall: string, tool: string, args: object) => ({ ...CODEX, ...MAIN, toolCall, tool, args })
const CODEX_AGENT = { agent: { id: id(3), type: 'default' }, transcript: `${CODEX_FILE}${id(3)}.jsonl` }
const CODEX_BEFORE = { kind: 'before-tool', isBypassing: true }
const PATCH = { command: '*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\n' }
const WAIT = { targets: [id(3)], timeout_ms: 20_000 }

const gemini = (tool: string, args: object) => ({ ...GEMINI, ...MAIN, toolCall: null, tool, args })
const GEMINI_FILE = { file_path: 'new.txt', content: 'hello' }
const GEMINI_EDIT = { file_path: 'missing.txt', old_string: 'a', new_string: 'b', instruction: 'Replace a.' }
const GEMINI_TASK = { agent_name: 'generalist', prompt: 'SUB-AGENT: run one command.' }
const geminiOutput = (text: string) =>
  `<untrusted_context>\nOutput: ${text}\nProcess Group PGID: 1000\n</untrusted_context>`

const copilot = (tool: string, args: object) => ({ ...COPILOT, ...MAIN, toolCall: null, tool, args })
const COPILOT_AGENT = { agent: { id: id(2), type: 'general-purpose' } }
const FAILS = { command: 'echo first; exit 3', description: 'Fails' }
const SUCCEEDS = { command: 'echo second', description: 'Succeeds' }
const THIRD = { command: 'echo third', description: 'Third' }
const COPILOT_EDIT = { path: 'missing.txt', old_str: 'a', new_str: 'b' }
const COPILOT_TASK = {
  agent_type: 'general-purpose',
  description: 'A command',
  prompt: 'SUB-AGENT: run one command.',
  name: 'one',
  mode: 'sync',
}

const opencode = (toolCall: string, tool: string, args: object) => ({ ...OPENCODE, ...MAIN, toolCall, tool, args })
const OPENCODE_FILE = { filePath: 'new.txt', content: 'hello' }
const OPENCODE_TASK = { description: 'A command', prompt: 'SUB-AGENT: run one command.', subagent_type: 'general' }

/** What is read from each recorded event; `'unknown'` is refused. Our plugin for opencode does not pass some of them on. */
const READ: Readonly<Partial<Record<HostName, Readonly<Record<string, object | 'unknown'>>>>> = {
  'claude-code': {
    ...others('UserPromptSubmit', 'Stop', 'SubagentStart-sub-agent', 'SubagentStop-sub-agent'),
    SessionStart: { kind: 'session-start', ...CLAUDE },
    SessionEnd: { kind: 'session-end', ...CLAUDE },
    'PreToolUse-Bash': { ...BEFORE, ...claude('call_main_0_0', 'Bash', { command: 'echo first; exit 3' }) },
    'PreToolUse-Bash-sub-agent': {
      ...BEFORE,
      ...claude('call_other0_0_0', 'Bash', { command: 'echo third' }),
      ...CLAUDE_AGENT,
    },
    'PreToolUse-Write': { ...BEFORE, ...claude('call_main_0_2', 'Write', WRITE_ARGS) },
    'PreToolUse-Agent': { ...BEFORE, ...claude('call_main_1_0', 'Agent', AGENT_ARGS) },
    'PostToolUse-Bash': { ...AFTER, ...claude('call_main_0_1', 'Bash', { command: 'echo second' }), output: 'second' },
    'PostToolUse-Bash-sub-agent': {
      ...AFTER,
      ...claude('call_other0_0_0', 'Bash', { command: 'echo third' }),
      ...CLAUDE_AGENT,
      output: 'third',
    },
    'PostToolUse-Write': { ...AFTER, ...claude('call_main_0_2', 'Write', WRITE_ARGS), output: null },
    'PostToolUse-Agent-sub-agent': { ...AFTER, ...claude('call_main_1_0', 'Agent', AGENT_ARGS), output: 'Done.' },
    'PostToolUseFailure-Bash-failing': {
      ...FAILED,
      ...claude('call_main_0_0', 'Bash', { command: 'echo first; exit 3' }),
      exitCode: 3,
      output: 'Exit code 3\nfirst',
    },
  },
  codex: {
    ...others('UserPromptSubmit', 'UserPromptSubmit-sub-agent', 'Stop', 'SubagentStart-sub-agent'),
    ...others('SubagentStop-sub-agent'),
    SessionStart: { kind: 'session-start', ...CODEX },
    SessionEnd: { kind: 'session-end', ...CODEX },
    'PreToolUse-Bash': { ...CODEX_BEFORE, ...codex('call_main_0_1', 'Bash', { command: 'echo second' }), cwd: '/tmp' },
    'PreToolUse-Bash-sub-agent': {
      ...CODEX_BEFORE,
      ...codex('call_other0_0_0', 'Bash', { command: 'echo third' }),
      ...CODEX_AGENT,
    },
    'PreToolUse-apply_patch': { ...CODEX_BEFORE, ...codex('call_main_0_2', 'apply_patch', PATCH) },
    'PreToolUse-spawn_agent': {
      ...CODEX_BEFORE,
      ...codex('call_main_1_0', 'spawn_agent', { message: 'SUB-AGENT: run one command.' }),
    },
    'PreToolUse-multi_agent_v1wait_agent': {
      ...CODEX_BEFORE,
      ...codex('call_main_2_0', 'multi_agent_v1wait_agent', WAIT),
    },
    'PostToolUse-Bash': {
      ...AFTER,
      ...codex('call_main_0_1', 'Bash', { command: 'echo second' }),
      cwd: '/tmp',
      output: 'second\n',
    },
    'PostToolUse-Bash-sub-agent': {
      ...AFTER,
      ...codex('call_other0_0_0', 'Bash', { command: 'echo third' }),
      ...CODEX_AGENT,
      output: 'third\n',
    },
    // Codex does not tell that it failed.
    'PostToolUse-Bash-failing': {
      ...AFTER,
      ...codex('call_main_0_0', 'Bash', { command: 'echo first; exit 3' }),
      output: 'first\n',
    },
    'PostToolUse-apply_patch': {
      ...AFTER,
      ...codex('call_main_0_2', 'apply_patch', PATCH),
      exitCode: 0,
      output: 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA new.txt\n',
    },
    'PostToolUse-spawn_agent': {
      ...AFTER,
      ...codex('call_main_1_0', 'spawn_agent', { message: 'SUB-AGENT: run one command.' }),
      output: `{"agent_id":"${id(3)}","nickname":"Ada"}`,
    },
    'PostToolUse-multi_agent_v1wait_agent': {
      ...AFTER,
      ...codex('call_main_2_0', 'multi_agent_v1wait_agent', WAIT),
      output: `{"status":{"${id(3)}":{"completed":"Done."}},"timed_out":false}`,
    },
  },
  'gemini-cli': {
    ...others('BeforeAgent', 'AfterAgent'),
    SessionStart: { kind: 'session-start', ...GEMINI },
    SessionEnd: { kind: 'session-end', ...GEMINI },
    'BeforeTool-run_shell_command': { ...BEFORE, ...gemini('run_shell_command', { command: 'echo first; exit 3' }) },
    'BeforeTool-run_shell_command-sub-agent': { ...BEFORE, ...gemini('run_shell_command', { command: 'echo third' }) },
    'BeforeTool-write_file': { ...BEFORE, ...gemini('write_file', GEMINI_FILE) },
    'BeforeTool-replace': { ...BEFORE, ...gemini('replace', GEMINI_EDIT) },
    'BeforeTool-invoke_agent': { ...BEFORE, ...gemini('invoke_agent', GEMINI_TASK) },
    'BeforeTool-complete_task': { ...BEFORE, ...gemini('complete_task', { result: { response: 'Done.' } }) },
    'AfterTool-run_shell_command': {
      ...AFTER,
      ...gemini('run_shell_command', { command: 'echo second' }),
      exitCode: 0,
      output: geminiOutput('second'),
    },
    'AfterTool-run_shell_command-sub-agent': {
      ...AFTER,
      ...gemini('run_shell_command', { command: 'echo third' }),
      exitCode: 0,
      output: geminiOutput('third'),
    },
    'AfterTool-run_shell_command-failing': {
      ...FAILED,
      ...gemini('run_shell_command', { command: 'echo first; exit 3' }),
      exitCode: 3,
      output: geminiOutput('first\nExit Code: 3'),
    },
    'AfterTool-write_file': {
      ...AFTER,
      ...gemini('write_file', GEMINI_FILE),
      output: 'Successfully created and wrote to new file: /home/you/project/new.txt. Here is the updated code:\nhello',
    },
    'AfterTool-replace-failing': {
      ...FAILED,
      ...gemini('replace', GEMINI_EDIT),
      output: 'File not found: /home/you/project/missing.txt',
    },
    'AfterTool-invoke_agent-sub-agent': {
      ...AFTER,
      ...gemini('invoke_agent', GEMINI_TASK),
      output: 'Subagent \'generalist\' finished.\nTermination Reason: GOAL\nResult:\n{\n  "response": "Done."\n}',
    },
    'AfterTool-complete_task': {
      ...AFTER,
      ...gemini('complete_task', { result: { response: 'Done.' } }),
      output: 'Output submitted and task completed.',
    },
  },
  copilot: {
    ...others('userPromptSubmitted', 'userPromptSubmitted-sub-agent', 'agentStop', 'agentStop-sub-agent'),
    ...others('subagentStart', 'subagentStart-sub-agent', 'subagentStop-sub-agent'),
    sessionStart: { kind: 'session-start', ...COPILOT },
    sessionEnd: { kind: 'session-end', ...COPILOT },
    'preToolUse-bash': { ...BEFORE, ...copilot('bash', FAILS) },
    'preToolUse-bash-sub-agent': { ...BEFORE, ...copilot('bash', THIRD), ...COPILOT_AGENT },
    'preToolUse-create': { ...BEFORE, ...copilot('create', { path: 'new.txt', file_text: 'hello' }) },
    'preToolUse-edit': { ...BEFORE, ...copilot('edit', COPILOT_EDIT) },
    'preToolUse-task': { ...BEFORE, ...copilot('task', COPILOT_TASK) },
    'permissionRequest-bash': { kind: 'permission-request', ...copilot('bash', { command: 'echo second' }) },
    'permissionRequest-bash-sub-agent': {
      kind: 'permission-request',
      ...copilot('bash', { command: 'echo third' }),
      ...COPILOT_AGENT,
    },
    'permissionRequest-edit': {
      kind: 'permission-request',
      ...copilot('edit', { file_path: '/home/you/project/new.txt', diff: expect.stringContaining('+hello') }),
    },
    'postToolUse-bash': {
      ...AFTER,
      ...copilot('bash', SUCCEEDS),
      exitCode: 0,
      output: 'second\n<shellId: 1 completed with exit code 0>',
    },
    'postToolUse-bash-sub-agent': {
      ...AFTER,
      ...copilot('bash', THIRD),
      ...COPILOT_AGENT,
      exitCode: 0,
      output: 'third\n<shellId: 2 completed with exit code 0>',
    },
    'postToolUse-bash-failing': {
      ...FAILED,
      ...copilot('bash', FAILS),
      exitCode: 3,
      output: 'first\n<shellId: 0 completed with exit code 3>',
    },
    'postToolUse-create': {
      ...AFTER,
      ...copilot('create', { path: 'new.txt', file_text: 'hello' }),
      output: 'Created file /home/you/project/new.txt with 5 characters',
    },
    'postToolUse-task': { ...AFTER, ...copilot('task', COPILOT_TASK), output: 'Done.' },
    'postToolUseFailure-edit-failing': { ...FAILED, ...copilot('edit', COPILOT_EDIT), output: 'Path not absolute' },
  },
  opencode: {
    load: 'unknown',
    'chat.message': 'unknown',
    'shell.env': 'unknown',
    'session.status': 'unknown',
    'session.updated': 'unknown',
    'session.updated-sub-agent': 'unknown',
    ...others('session.idle', 'session.created-sub-agent'),
    'session.created': { kind: 'session-start', ...OPENCODE, cwd: PROJECT },
    'tool.execute.before-bash': { ...BEFORE, ...opencode('call_main_0_0', 'bash', FAILS) },
    'tool.execute.before-bash-sub-agent': {
      ...BEFORE,
      ...opencode('call_other0_0_0', 'bash', THIRD),
      session: opencodeId(2),
    },
    'tool.execute.before-write': { ...BEFORE, ...opencode('call_main_0_2', 'write', OPENCODE_FILE) },
    'tool.execute.before-edit': {
      ...BEFORE,
      ...opencode('call_main_0_3', 'edit', { filePath: 'missing.txt', oldString: 'a', newString: 'b' }),
    },
    'tool.execute.before-task': { ...BEFORE, ...opencode('call_main_1_0', 'task', OPENCODE_TASK) },
    'tool.execute.after-bash': {
      ...AFTER,
      ...opencode('call_main_0_1', 'bash', { ...SUCCEEDS, workdir: '/tmp' }),
      exitCode: 0,
      output: 'second\n',
    },
    'tool.execute.after-bash-sub-agent': {
      ...AFTER,
      ...opencode('call_other0_0_0', 'bash', THIRD),
      session: opencodeId(2),
      exitCode: 0,
      output: 'third\n',
    },
    'tool.execute.after-bash-failing': {
      ...FAILED,
      ...opencode('call_main_0_0', 'bash', FAILS),
      exitCode: 3,
      output: 'first\n',
    },
    'tool.execute.after-write': {
      ...AFTER,
      ...opencode('call_main_0_2', 'write', OPENCODE_FILE),
      output: 'Wrote file successfully.',
    },
    'tool.execute.after-task': {
      ...AFTER,
      ...opencode('call_main_1_0', 'task', OPENCODE_TASK),
      output: expect.stringContaining('Done.'),
    },
  },
}

/** Where an older version differs: nothing ties a sub-agent's calls to the session that started it. */
const ALONE = { agent: null, session: id(2), transcript: copilotFile(id(2)) }
const OLDER: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'copilot 1.0.92': {
    'preToolUse-bash-sub-agent': { ...BEFORE, ...copilot('bash', THIRD), ...ALONE },
    'postToolUse-bash-sub-agent': {
      ...AFTER,
      ...copilot('bash', THIRD),
      ...ALONE,
      exitCode: 0,
      output: 'third\n<shellId: 2 completed with exit code 0>',
    },
    'permissionRequest-bash-sub-agent': {
      kind: 'permission-request',
      ...copilot('bash', { command: 'echo third' }),
    },
  },
}

const VERSIONS = HOST_NAMES.flatMap((host) => PROGRAMS[host].versions.map((version) => ({ host, version })))

describe.each(VERSIONS)('the contract of $host $version', ({ host, version }) => {
  const recorded = recordedEvents(host, version)
  const contract = contractOf(host)
  const nameOf = (file: string): string => file.split('-')[0] ?? ''
  const expected = { ...READ[host], ...OLDER[`${host} ${version}`] }

  it.each(Object.keys(recorded))('reads the recorded %s', (file) => {
    const read = (): HostEvent => contract.read(recorded[file], nameOf(file))
    if (expected[file] === 'unknown') expect(read).toThrow(expect.objectContaining({ code: 'CS_HOST_EVENT' }))
    else expect(read()).toEqual(expected[file])
  })

  it('refuses an event that is not the one its hook was started for', () => {
    const [before = ''] = Object.keys(recorded).filter((file) => file.startsWith(DRIVERS[host].gateEvent))
    for (const event of ['SessionStart', 'session.created', 'sessionStop', 'pretooluse', ''])
      expect(() => contract.read(recorded[before], event)).toThrow(expect.objectContaining({ code: 'CS_HOST_EVENT' }))
  })

  it('answers the event that the tests drive this host by', () => {
    expect(contract.events.find(({ kind }) => kind === 'before')?.name).toBe(DRIVERS[host].gateEvent)
    const unsent = contract.events.filter(({ name }) => !Object.keys(recorded).some((file) => nameOf(file) === name))
    expect(unsent.map(({ name }) => name)).toEqual(host === 'opencode' ? ['session.deleted'] : [])
  })
})

describe('a refusal that other agents obey too', () => {
  it.each(HOST_NAMES.filter((host) => contractOf(host).refusesByExit))('is one in %s, as measured', (host) => {
    for (const version of PROGRAMS[host].versions)
      expect(knownFates(host, version, 'guarded')?.refuses).toEqual(
        expect.arrayContaining(['exit-2-with-message', 'exit-2-with-refusal']),
      )
  })
})
