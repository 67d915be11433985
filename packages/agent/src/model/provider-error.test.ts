import { createServer } from 'node:net'
import type { StandInAnswer } from '@countersign/testing/fake-openai-server'
import { describe, expect, it, vi } from 'vitest'
import { calling, marker, openScene, PATIENCE, type Scene } from '../loop/fixture.mts'
import { chooseModel } from './choose-model.ts'

const KEY = `sk-${'proj'}-${'a1B2c3D4'.repeat(5)}`

/** Advances time by exactly the loop's wait before a retry. */
function skipWaits({ agent, world }: Scene): void {
  agent.subscribe((event) => {
    if (event.kind === 'retry') void world.clock.advance(event.waitMs)
  })
}

async function sayTo(answers: readonly StandInAnswer[]) {
  const deploy = marker()
  const scene = await openScene(answers, { tools: [deploy] })
  skipWaits(scene)
  const stop = await scene.agent.say('go')
  return { ...scene, stop, deploy, retries: scene.events.filter(({ kind }) => kind === 'retry') }
}

describe('a model that cannot answer', () => {
  it.each([
    [401, 'openai/stand-in does not accept the key (401); set the right API key for this provider'],
    [403, 'openai/stand-in does not accept the key (403); set the right API key for this provider'],
    [404, 'openai/stand-in is not known at this endpoint (404); check the model’s name and the base URL'],
    [400, 'openai/stand-in refused the request (400); check the model’s name and what it can do (bad tools)'],
  ])('(%i) ends the loop at once with one line that says what to do', async (status, message) => {
    const { stop, standIn } = await sayTo([{ status, message: 'bad tools' }])
    expect(stop).toEqual({ why: 'model-failed', message })
    expect(standIn.requests).toHaveLength(1)
  })

  it.each<[string, StandInAnswer, RegExp]>([
    ['429', { status: 429, message: 'slow down' }, /is over its rate or spending limit \(429\); wait a while/],
    ['500', { status: 500 }, /has an internal problem \(500\); try again later/],
    ['a broken connection', { cutAfter: 'I was ab' }, /broke off or could not be parsed; try again/],
    ['an end without a finish reason', { endAfter: 'I was ab' }, /broke off or could not be parsed; try again/],
    ['lines that are not JSON', { lines: ['{"choices": ['] }, /broke off or could not be parsed; try again/],
    [
      'deltas with another structure',
      { lines: ['{"choices": "many"}'] },
      /broke off or could not be parsed; try again/,
    ],
  ])('(%s) is tried three times, then the loop ends with a message', async (_, answer, words) => {
    const { stop, standIn, retries } = await sayTo([answer, answer, answer, answer])
    expect(stop.why).toBe('model-failed')
    expect(stop.message).toMatch(words)
    expect(stop.message).not.toContain('\n')
    expect(standIn.requests).toHaveLength(3)
    expect(retries).toMatchObject([{ waitMs: 1_000 }, { waitMs: 4_000 }])
  })

  it('resumes when it answers, and the broken answer is not in the conversation', async () => {
    const { stop, agent, retries } = await sayTo([{ cutAfter: 'I was ab' }, { status: 503 }, { text: 'Here I am.' }])
    expect(stop.why).toBe('done')
    expect(retries).toHaveLength(2)
    expect(agent.messages).toEqual([
      { role: 'person', text: 'go' },
      { role: 'agent', text: 'Here I am.', calls: [] },
    ])
  })

  it('is not asked again for as long as it requests, up to a minute', async () => {
    const { retries } = await sayTo([{ status: 429, headers: { 'retry-after': '7' } }, { text: 'Now.' }])
    expect(retries).toMatchObject([{ waitMs: 7_000 }])
    const late = await sayTo([{ status: 429, headers: { 'retry-after': '3600' } }])
    expect(late.stop).toMatchObject({ why: 'model-failed', message: expect.stringContaining('wait 3600 s') })
    expect(late.retries).toEqual([])
  })

  it('never has calls run from a broken answer', async () => {
    const whole = { index: 0, id: 'c', type: 'function', function: { name: 'deploy_site', arguments: '{}' } }
    const broken = { lines: [JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [whole] } }] })] }
    const { deploy, steps, stop } = await sayTo([broken, broken, broken])
    expect({ why: stop.why, marks: deploy.marks, steps: steps() }).toEqual({
      why: 'model-failed',
      marks: [],
      steps: [],
    })
  })

  it('does not leak a key that the provider repeats', async () => {
    const { stop } = await sayTo([{ status: 400, message: `no such key: ${KEY}\nreally` }])
    expect(stop.message).not.toContain(KEY)
    expect(stop.message).not.toContain('\n')
  })

  it('that is unreachable is reported', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await new Promise((resolve) => server.close(resolve))
    const model = await chooseModel({ model: 'local/llama', env: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` } })
    const scene = await openScene([], { model })
    skipWaits(scene)
    const stop = await scene.agent.say('hello')
    expect(stop.message).toMatch(/^local\/llama cannot be reached; check the network and the base URL/)
  })

  it('can be aborted during a wait', async () => {
    const scene = await openScene([{ status: 500 }])
    const person = new AbortController()
    const done = scene.agent.say('go', person.signal)
    await vi.waitFor(() => expect(scene.events.some(({ kind }) => kind === 'retry')).toBe(true), PATIENCE)
    person.abort()
    expect((await done).why).toBe('aborted')
  })
})

describe('a model that answers', () => {
  it('is streamed, thinking separate from text, with its cost', async () => {
    const scene = await openScene([
      { thought: 'Hm, a greeting.', text: 'Hello there, person.', tokens: { input: 11, output: 4 } },
    ])
    await scene.agent.say('hello')
    const said = scene.events.flatMap((event) => (event.kind === 'text' ? [event.text] : []))
    expect(said.length).toBeGreaterThan(1)
    expect(said.join('')).toBe('Hello there, person.')
    const thoughts = scene.events.flatMap((event) => (event.kind === 'thought' ? [event.text] : []))
    expect(thoughts.join('')).toBe('Hm, a greeting.')
    expect(scene.events.find(({ kind }) => kind === 'usage')).toMatchObject({ tokens: { input: 11, output: 4 } })
  })

  it('has two calls with the same id distinguished', async () => {
    const calls = [1, 2].map((n) => ({ id: 'same', tool: 'look', args: { n } }))
    const look = marker('look', { describe: () => ({ kind: 'read' }) })
    const scene = await openScene([{ calls }], { tools: [look] })
    await scene.agent.say('look')
    const answered = scene.standIn.requests
      .at(-1)
      ?.body.messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]))
    expect(new Set(answered).size).toBe(2)
  })

  it('gets its broken arguments back as an empty object, which every provider accepts', async () => {
    const scene = await openScene(calling([['look', '{"n": ']]), { tools: [marker('look')] })
    await scene.agent.say('look')
    expect(scene.standIn.requests[1]?.body.messages[2]?.tool_calls).toMatchObject([
      { function: { name: 'look', arguments: '{}' } },
    ])
  })
})
