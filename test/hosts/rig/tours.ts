import type { NextTurn, Script } from '../../../packages/hosts/src/canary/model/turn.ts'
import type { HostName } from './programs.ts'

/** A scripted session that makes a host send every event worth recording. */
export interface Tour {
  readonly turns: readonly NextTurn[]
  readonly others: readonly Script[]
  readonly args?: readonly string[]
}

const SUB_AGENT = 'SUB-AGENT'
const TASK = `${SUB_AGENT}: run one command.`
const SAID = 'Two commands and two edits.'
/** One command fails, another succeeds, a sub-agent runs a third. */
export const FAILS = 'echo first; exit 3'
export const SUCCEEDS = 'echo second'
export const IN_SUB_AGENT = 'echo third'

const PATCH = '*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\n'
const BAD_PATCH = '*** Begin Patch\n*** Update File: missing.txt\n@@\n-a\n+b\n*** End Patch\n'

function spawned(id: string | undefined): string {
  return /"agent_id":"([^"]+)"/.exec(id ?? '')?.[1] ?? ''
}

export const TOURS: Readonly<Record<HostName, Tour>> = {
  'claude-code': {
    turns: [
      {
        text: SAID,
        calls: [
          { tool: 'Bash', args: { command: FAILS } },
          { tool: 'Bash', args: { command: SUCCEEDS } },
          { tool: 'Write', args: { file_path: 'new.txt', content: 'hello' } },
          { tool: 'Edit', args: { file_path: 'missing.txt', old_string: 'a', new_string: 'b' } },
        ],
      },
      {
        calls: [
          {
            tool: 'Agent',
            args: {
              description: 'A command',
              prompt: TASK,
              subagent_type: 'general-purpose',
              run_in_background: false,
            },
          },
        ],
      },
    ],
    others: [
      { about: SUB_AGENT, turns: [{ calls: [{ tool: 'Bash', args: { command: IN_SUB_AGENT } }] }, { text: 'Done.' }] },
    ],
  },
  codex: {
    args: ['-m', 'gpt-5.5', '--enable', 'multi_agent'],
    turns: [
      {
        text: SAID,
        calls: [
          { tool: 'exec_command', args: { cmd: FAILS } },
          { tool: 'exec_command', args: { cmd: SUCCEEDS, workdir: '/tmp' } },
          { tool: 'apply_patch', args: { freeform: PATCH } },
          { tool: 'apply_patch', args: { freeform: BAD_PATCH } },
        ],
      },
      { calls: [{ tool: 'multi_agent_v1.spawn_agent', args: { message: TASK } }] },
      (results) => ({
        calls: [
          {
            tool: 'multi_agent_v1.wait_agent',
            args: { targets: [spawned(results.at(-1)?.text)], timeout_ms: 20_000 },
          },
        ],
      }),
    ],
    others: [
      {
        about: SUB_AGENT,
        turns: [{ calls: [{ tool: 'exec_command', args: { cmd: IN_SUB_AGENT } }] }, { text: 'Done.' }],
      },
    ],
  },
  'gemini-cli': {
    turns: [
      {
        text: SAID,
        calls: [
          { tool: 'run_shell_command', args: { command: FAILS } },
          { tool: 'run_shell_command', args: { command: SUCCEEDS } },
          { tool: 'write_file', args: { file_path: 'new.txt', content: 'hello' } },
          {
            tool: 'replace',
            args: { file_path: 'missing.txt', old_string: 'a', new_string: 'b', instruction: 'Replace a.' },
          },
        ],
      },
      { calls: [{ tool: 'invoke_agent', args: { agent_name: 'generalist', prompt: TASK } }] },
    ],
    others: [
      {
        about: SUB_AGENT,
        turns: [
          { calls: [{ tool: 'run_shell_command', args: { command: IN_SUB_AGENT } }] },
          { calls: [{ tool: 'complete_task', args: { result: { response: 'Done.' } } }] },
        ],
      },
    ],
  },
  opencode: {
    turns: [
      {
        text: SAID,
        calls: [
          { tool: 'bash', args: { command: FAILS, description: 'Fails' } },
          { tool: 'bash', args: { command: SUCCEEDS, description: 'Succeeds', workdir: '/tmp' } },
          { tool: 'write', args: { filePath: 'new.txt', content: 'hello' } },
          { tool: 'edit', args: { filePath: 'missing.txt', oldString: 'a', newString: 'b' } },
        ],
      },
      { calls: [{ tool: 'task', args: { description: 'A command', prompt: TASK, subagent_type: 'general' } }] },
    ],
    others: [
      {
        about: SUB_AGENT,
        turns: [
          { calls: [{ tool: 'bash', args: { command: IN_SUB_AGENT, description: 'Third' } }] },
          { text: 'Done.' },
        ],
      },
    ],
  },
  copilot: {
    turns: [
      {
        text: SAID,
        calls: [
          { tool: 'bash', args: { command: FAILS, description: 'Fails' } },
          { tool: 'bash', args: { command: SUCCEEDS, description: 'Succeeds' } },
          { tool: 'create', args: { path: 'new.txt', file_text: 'hello' } },
          { tool: 'edit', args: { path: 'missing.txt', old_str: 'a', new_str: 'b' } },
        ],
      },
      {
        calls: [
          {
            tool: 'task',
            args: { agent_type: 'general-purpose', description: 'A command', prompt: TASK, name: 'one', mode: 'sync' },
          },
        ],
      },
    ],
    others: [
      {
        about: SUB_AGENT,
        turns: [
          { calls: [{ tool: 'bash', args: { command: IN_SUB_AGENT, description: 'Third' } }] },
          { text: 'Done.' },
        ],
      },
    ],
  },
}

/** The part of a tour with its sub-agent, which runs this command instead. */
export function subAgentTour(host: HostName, command: string): Tour {
  const { turns, others, ...rest } = TOURS[host]
  const mapped = others.map(({ about, turns: own }) => ({
    about,
    turns: own.map((turn) => JSON.parse(JSON.stringify(turn).replaceAll(IN_SUB_AGENT, command))),
  }))
  return { ...rest, turns: turns.slice(1), others: mapped }
}
