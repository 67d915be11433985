import { describe, expect, expectTypeOf, it } from 'vitest'
import { permitFor, REJECTED, scriptedGate } from '../gate/scripted-gate.fixture.ts'
import { continueCalls } from './continue-calls.ts'
import { gateTools } from './gate-tools.ts'

const OPTIONS = { toolCallId: 'call_1', messages: [] }

/** A tool in the shape of the SDK's. */
const send = {
  description: 'Sends mail',
  execute: async ({ to }: { to: string }, _options: typeof OPTIONS) => `sent to ${to}`,
}

describe('a tool in the shape of the AI SDK', () => {
  it('keeps its type, and runs the permitted arguments', async () => {
    const gate = scriptedGate(() => permitFor({ to: 'bea' }))
    const tools = gateTools({ send }, gate, { tools: { send: { describe: ({ to }) => ({ kind: 'send', url: to }) } } })
    expectTypeOf(tools).toEqualTypeOf<{ send: typeof send }>()
    expect(await tools.send.execute({ to: 'ana' }, OPTIONS)).toBe('sent to bea')
    expect(gate.asked[0]).toMatchObject({ tool: { name: 'send', description: 'Sends mail' }, args: { to: 'ana' } })
  })

  it('throws the refusal', async () => {
    const tools = gateTools(
      { send },
      scriptedGate(() => REJECTED),
    )
    await expect(tools.send.execute({ to: 'ana' }, OPTIONS)).rejects.toThrow('NOT EXECUTED (rejected)')
  })

  it('that returns parts is read to its end, inside the permit', async () => {
    const gate = scriptedGate(() => permitFor({}))
    async function* parts() {
      yield 1
      yield 2 + gate.settled.length
    }
    const { count } = gateTools(
      { count: { execute: (_input: object, _options: typeof OPTIONS): unknown => parts() } },
      gate,
    )
    expect(await count.execute({}, OPTIONS)).toBe(2)
    expect(gate.settled).toHaveLength(1)
  })

  it.each<[string, object]>([
    ['of the SDK', { validate: (one: { to?: unknown }) => ({ success: one.to !== 'bea', value: { to: 'cleo' } }) }],
    [
      'by the standard contract',
      {
        '~standard': {
          validate: (one: { to?: unknown }) => (one.to === 'bea' ? { issues: [] } : { value: { to: 'cleo' } }),
        },
      },
    ],
  ])('whose arguments were edited has them checked by its schema %s', async (_, inputSchema) => {
    const run = (permitted: string, asked: string) =>
      gateTools(
        { send: { ...send, inputSchema } },
        scriptedGate(() => permitFor({ to: permitted })),
      ).send.execute({ to: asked }, OPTIONS)
    expect(await run('ana', 'ana')).toBe('sent to ana') // the SDK checked these
    expect(await run('ana', 'eve')).toBe('sent to cleo')
    await expect(run('bea', 'eve')).rejects.toThrow('do not fit the schema of this tool')
  })

  it('knows its own options', () => {
    const gate = scriptedGate(() => REJECTED)
    // @ts-expect-error: there is no tool of this name
    expect(() => gateTools({ send }, gate, { tools: { sned: {} } })).toThrow('there is no tool `sned`')
    // @ts-expect-error: the tool has no such input
    gateTools({ send }, gate, { tools: { send: { preview: ({ subject }) => subject } } })
  })
})

describe('the words that a person sees', () => {
  const call = { type: 'tool-call', toolCallId: 'call_1' }
  const text = (words: string) => ({ type: 'text', text: words })

  it.each<[string, readonly { role: string; content: unknown }[], object]>([
    ['none before the model spoke', [{ role: 'user', content: 'go' }], {}],
    [
      'the last message since the user’s',
      [
        { role: 'assistant', content: 'old' },
        { role: 'user', content: 'go' },
        { role: 'assistant', content: 'I look first' },
      ],
      { said: 'I look first' },
    ],
    [
      'the message that made the call, with its reasoning',
      [
        { role: 'assistant', content: [{ type: 'reasoning', text: 'why' }, text('I send'), call] },
        { role: 'assistant', content: [text('later')] },
      ],
      { said: 'I send', reasoning: 'why' },
    ],
    ['none of a message without words', [{ role: 'assistant', content: [call, null, 'x'] }], {}],
  ])('are %s', async (_, messages, words) => {
    const gate = scriptedGate(() => permitFor({ to: 'a' }))
    const tools = gateTools({ send: { execute: async (_input: object, _options: object) => 'x' } }, gate)
    await tools.send.execute({}, { toolCallId: 'call_1', messages })
    const { said, reasoning } = gate.asked[0] ?? {}
    expect({ ...(said && { said }), ...(reasoning && { reasoning }) }).toEqual(words)
  })
})

describe('messages that go on', () => {
  const request = (approvalId: string) => ({ type: 'tool-approval-request', approvalId })

  it('answer each open request once', () => {
    const messages = [
      { role: 'assistant', content: [request('a'), request('b')] },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a', approved: false }] },
    ]
    const answers = [{ type: 'tool-approval-response', approvalId: 'b', approved: true }]
    expect(continueCalls(messages)).toEqual([...messages, { role: 'tool', content: answers }])
    expect(continueCalls(continueCalls(messages))).toEqual(continueCalls(messages))
  })
})
