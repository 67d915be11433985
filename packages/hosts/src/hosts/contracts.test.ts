import { CountersignError } from '@countersign/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOST_NAMES } from '../contract/host-name.ts'
import { contractOf } from './contracts.ts'

describe('a garbled event', () => {
  const key = fc.constantFrom(
    ...[
      'hook_event_name',
      'hookEventName',
      'hookName',
      'event',
      'session_id',
      'sessionId',
      'conversation_id',
      'taskId',
    ],
    ...['tool_name', 'toolName', 'tool_input', 'toolArgs', 'tool_use_id', 'cwd', 'transcript_path', 'permission_mode'],
    ...['input', 'output', 'args', 'tool', 'sessionID', 'callID', 'properties', 'info', 'tool_call', 'mcp_context'],
    ...['tool_response', 'toolResult', 'resultType', 'llmContent', 'workspace_roots', 'workspaceRoots', '__proto__'],
  )
  const name = fc.constantFrom(
    ...HOST_NAMES.flatMap((host) => contractOf(host).events.map((event) => event.name)),
    'no',
  )
  const payload = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      name,
      fc.constantFrom('bypassPermissions', '/home/you', '{"a":1}', 'success', 'a'.repeat(600), null),
      fc.anything(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 12 }),
    ),
  })).value

  it.each(HOST_NAMES)('is refused or read, and nothing else, by %s', (host) => {
    fc.assert(
      fc.property(payload, fc.option(name, { nil: undefined }), (given, event) => {
        try {
          expect(contractOf(host).read(given, event).kind).toBeTypeOf('string')
        } catch (error) {
          expect(error).toBeInstanceOf(CountersignError)
          expect(error).toMatchObject({ code: 'CS_HOST_EVENT' })
          expect((error as Error).message).not.toMatch(/\n/)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe.each(HOST_NAMES)('the contract of %s', (host) => {
  const contract = contractOf(host)

  it('is its own, and is installed for exactly one event that it answers', () => {
    expect(contract.name).toBe(host)
    expect(contract.events.filter(({ kind }) => kind === 'before')).toHaveLength(1)
    expect(new Set(contract.events.map(({ name }) => name)).size).toBe(contract.events.length)
  })

  it('never throws for the end of any conversation', () => {
    const line = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.string(),
      fc.constant('{"type":"assistant","message":{"content":[null]}}'),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { said, reasoning } = contract.lastWords(lines.join('\n'))
        for (const words of [said, reasoning]) expect(words === null || words.length <= 4_000).toBe(true)
      }),
    )
  })
})
