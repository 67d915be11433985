/** What differs in version 6: the model's contract, and the pause. The rest is tested in `ai-sdk`. */
import { continueCalls, gateTools } from '@countersign/adapters/ai-sdk'
import { generateText, type ModelMessage, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { testErrors } from '../../support/check-types.ts'
import { openDesk } from '../../support/open-desk.ts'

const TOKENS = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }
const USAGE = { inputTokens: TOKENS, outputTokens: { total: 1, text: 1, reasoning: 0 } }
const CALL = { type: 'tool-call', toolCallId: 'call_1', toolName: 'send', input: '{"to":"ana"}' } as const

const sends = () =>
  new MockLanguageModelV3({
    doGenerate: [
      { content: [CALL], finishReason: { unified: 'tool-calls', raw: undefined }, usage: USAGE, warnings: [] },
      done,
    ],
  })
const done = {
  content: [{ type: 'text' as const, text: 'done' }],
  finishReason: { unified: 'stop' as const, raw: undefined },
  usage: USAGE,
  warnings: [],
}

function sending() {
  const ran = vi.fn((to: string) => `sent to ${to}`)
  return { ran, send: tool({ inputSchema: z.object({ to: z.string() }), execute: async ({ to }) => ran(to) }) }
}

describe('tools of AI SDK 6 behind the gate', () => {
  it('wait for a person, and run what was approved', async () => {
    const desk = await openDesk()
    const { ran, send } = sending()
    const tools = gateTools({ send }, desk.gate)
    const result = generateText({ model: sends(), prompt: 'go', tools, stopWhen: stepCountIs(3) })
    await desk.held(1)
    expect(ran).not.toHaveBeenCalled()
    await desk.decideHeld({ kind: 'approve', edited: { to: 'bea' } })
    expect((await result).text).toBe('done')
    expect(ran.mock.calls).toEqual([['bea']])
  })

  it('pause, and run once when they are resumed', async () => {
    const desk = await openDesk('none')
    const { ran, send } = sending()
    const tools = gateTools({ send }, desk.gate, { durable: { run: 'chat-6' } })
    const first: ModelMessage[] = [{ role: 'user', content: 'go' }]
    const { response } = await generateText({ model: sends(), messages: first, tools })
    const saved = [...first, ...response.messages]
    expect(ran).not.toHaveBeenCalled()
    await desk.decideAll(1, { kind: 'approve' })
    const model = new MockLanguageModelV3({ doGenerate: done })
    for (let times = 0; times < 2; times += 1) await generateText({ model, messages: continueCalls(saved), tools })
    expect(ran.mock.calls).toEqual([['ana']])
    expect(JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)).toContain('it is not run again')
  })

  it('give the model the words of the person who rejected, when they are resumed', async () => {
    const desk = await openDesk('none')
    const { ran, send } = sending()
    const tools = gateTools({ send }, desk.gate, { durable: { run: 'chat-6' } })
    const first: ModelMessage[] = [{ role: 'user', content: 'go' }]
    const { response } = await generateText({ model: sends(), messages: first, tools })
    await desk.decideAll(1, { kind: 'reject', reason: 'not today' })
    const model = new MockLanguageModelV3({ doGenerate: done })
    await generateText({ model, messages: continueCalls([...first, ...response.messages]), tools })
    expect(JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)).toContain('“not today”')
    expect(ran).not.toHaveBeenCalled()
  })

  it('keep their types', async () => {
    expect(await testErrors(import.meta.dirname)).toBe('')
  })
})
