import { describe, expect, it } from 'vitest'
import type { HostName } from '../contract/host-name.ts'
import { contractOf } from './contracts.ts'

const lines = (...entries: readonly object[]): string => entries.map((entry) => JSON.stringify(entry)).join('\n')

const claude = (type: string, content: unknown) => ({ type, message: { role: type, content }, isSidechain: false })
const codex = (payload: object) => ({ timestamp: '2026-11-19T12:42:35.645Z', type: 'response_item', payload })
const copilot = (type: string, data: object) => ({ type, data, id: '1', parentId: null })

/** Two turns as each program writes them; only the words of the second were said before the call. */
const CONVERSATIONS: readonly (readonly [HostName, string])[] = [
  [
    'claude-code',
    lines(
      claude('user', 'First'),
      claude('assistant', [{ type: 'text', text: 'Old words' }]),
      claude('user', 'Second'),
      claude('assistant', [{ type: 'thinking', thinking: 'Is it safe?', signature: 'x' }]),
      claude('assistant', [{ type: 'text', text: 'I will list them.' }]),
      claude('assistant', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }]),
      claude('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'a.txt' }]),
      claude('assistant', [{ type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'ls -l' } }]),
    ),
  ],
  [
    'codex',
    lines(
      codex({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Old words' }] }),
      codex({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Second' }] }),
      codex({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Is it safe?' }], encrypted_content: 'x' }),
      codex({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I will list them.' }] }),
      codex({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 't1' }),
      { type: 'event_msg', payload: { type: 'token_count', info: {} } },
    ),
  ],
  [
    'gemini-cli',
    lines(
      { id: '1', type: 'gemini', content: 'Old words', thoughts: [] },
      { id: '2', type: 'user', content: [{ text: 'Second' }] },
      { $set: { lastUpdated: '2026-11-19T12:42:39.348Z' } },
      {
        id: '3',
        type: 'gemini',
        content: 'I will list them.',
        thoughts: [{ subject: 'Is it', description: 'safe?', timestamp: 'x' }],
      },
      { id: '4', type: 'user', content: [{ functionResponse: { name: 'run_shell_command', response: {} } }] },
      { id: '5', type: 'gemini', content: '', thoughts: [], toolCalls: [] },
    ),
  ],
  [
    'copilot',
    lines(
      copilot('assistant.message', { content: 'Old words', toolRequests: [] }),
      copilot('user.message', { content: 'Second' }),
      copilot('assistant.message', { content: 'I will list them.', reasoningText: 'Is it safe?', toolRequests: [] }),
      copilot('tool.execution_start', { toolCallId: 't1', toolName: 'bash' }),
      copilot('assistant.message', { content: '', toolRequests: [] }),
    ),
  ],
  [
    'vscode',
    lines(
      copilot('user.message', { content: 'Second' }),
      copilot('assistant.message', { content: 'I will list them.', reasoningText: 'Is it safe?' }),
    ),
  ],
]

describe.each(CONVERSATIONS)('the conversation of %s', (host, text) => {
  const { lastWords } = contractOf(host)

  it('gives what was said and thought since the person’s last prompt', () => {
    const { said, reasoning } = lastWords(text)
    expect([said, reasoning?.replace('\n', ' ')]).toEqual(['I will list them.', 'Is it safe?'])
  })

  it('gives nothing if the agent has said nothing since then', () => {
    const prompt = text.split('\n').findIndex((line) => line.includes('Second'))
    const lines = text.split('\n').slice(0, prompt + 1)
    expect(lastWords(lines.join('\n'))).toEqual({ said: null, reasoning: null })
  })

  it('may start and end in the middle of a line', () => {
    expect(lastWords(`t":"x"}\n${text}\n{"type":"assis`).said).toBe('I will list them.')
    expect(lastWords(text.slice(3)).said).toBe('I will list them.')
  })

  it('gives the end of long words', () => {
    const long = `${'x'.repeat(10_000)} them all.`
    const { said } = lastWords(text.replace('I will list them.', long))
    expect(said).toHaveLength(4_000)
    expect(said).toMatch(/ them all\.$/)
  })
})

it.each(['cursor', 'opencode', 'cline', 'goose'] as const)('%s has no conversation that can be read', (host) => {
  expect(contractOf(host).lastWords(CONVERSATIONS[0]?.[1] ?? '')).toEqual({ said: null, reasoning: null })
})
