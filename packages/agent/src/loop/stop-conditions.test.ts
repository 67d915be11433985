import { describe, expect, it } from 'vitest'
import type { Model, ModelPart } from '../model/model.ts'
import { calling, marker, openScene, reader } from './fixture.mts'

const DENY = 'version: 1\nrules:\n  - { id: no, tool: deploy_site, supervision: deny }\n'

describe('the loop stops', () => {
  it('73: after the same refused call three times, with a clear reason', async () => {
    const deploy = marker()
    const same = { calls: [{ tool: 'deploy_site', args: { a: 1, b: 2 } }] }
    const scene = await openScene(() => same, { tools: [deploy], policy: DENY })
    expect(await scene.agent.say('deploy')).toEqual({
      why: 'repeated-refusal',
      message:
        'the agent requested the same call of `deploy_site` 3 times and was refused each time; tell it what to do instead',
    })
    expect(scene.standIn.requests).toHaveLength(3)
    expect(deploy.marks).toEqual([])
  })

  it('73: also if the arguments are in another order', async () => {
    const orders = ['{"a":1,"b":2}', '{"b":2,"a":1}', '{ "a": 1, "b": 2 }']
    const answers = (_: unknown, at: number) => ({ calls: [{ tool: 'deploy_site', args: orders[at % 3] ?? '{}' }] })
    const { agent, standIn } = await openScene(answers, { tools: [marker()], policy: DENY })
    expect((await agent.say('deploy')).why).toBe('repeated-refusal')
    expect(standIn.requests).toHaveLength(3)
  })

  it('73: but not for different calls, nor across the person’s messages', async () => {
    const answers = (_: unknown, at: number) =>
      at % 3 === 2 ? { text: 'I give up.' } : { calls: [{ tool: 'deploy_site', args: { n: at % 3 } }] }
    const { agent } = await openScene(answers, { tools: [marker()], policy: DENY })
    for (const text of ['deploy', 'again', 'and again', 'once more']) expect((await agent.say(text)).why).toBe('done')
  })

  it('when the same calls return the same results repeatedly', async () => {
    const { agent, standIn } = await openScene(() => ({ calls: [{ tool: 'look', args: {} }] }), { tools: [reader()] })
    expect(await agent.say('look')).toMatchObject({ why: 'stagnation' })
    expect(standIn.requests).toHaveLength(3)
  })

  it('when it cycles between two calls', async () => {
    const answers = (_: unknown, at: number) => ({ calls: [{ tool: 'look', args: { n: at % 2 } }] })
    const { agent, standIn } = await openScene(answers, { tools: [reader()] })
    expect((await agent.say('look')).why).toBe('stagnation')
    expect(standIn.requests).toHaveLength(6)
  })

  it('but not while the results differ', async () => {
    let n = 0
    const look = reader('look', () => `${n++}`)
    const { agent } = await openScene(() => (n < 8 ? { calls: [{ tool: 'look', args: {} }] } : { text: 'Seen.' }), {
      tools: [look],
    })
    expect((await agent.say('look')).why).toBe('done')
  })

  it('after the maximum number of turns', async () => {
    const answers = (_: unknown, at: number) => ({ calls: [{ tool: 'look', args: { n: at } }] })
    const { agent, standIn } = await openScene(answers, { tools: [reader()], guards: { iterations: 4 } })
    expect(await agent.say('look')).toEqual({
      why: 'iterations',
      message: 'stopped after 4 turns; send `continue`, or raise the limit',
    })
    expect(standIn.requests).toHaveLength(4)
  })

  it('after the maximum number of tokens', async () => {
    const answers = (_: unknown, at: number) => ({
      calls: [{ tool: 'look', args: { n: at } }],
      tokens: { input: 60, output: 40 },
    })
    const { agent, standIn } = await openScene(answers, { tools: [reader()], guards: { tokens: 250 } })
    expect((await agent.say('look')).why).toBe('tokens')
    expect(standIn.requests).toHaveLength(3)
  })

  it('after the maximum number of tokens, even if the endpoint reports none', async () => {
    const answers = (_: unknown, at: number) => ({
      calls: [{ tool: 'look', args: { n: at } }],
      tokens: { input: 0, output: 0 },
    })
    const { agent, standIn, events } = await openScene(answers, { tools: [reader()], guards: { tokens: 20 } })
    expect((await agent.say('look '.repeat(20))).why).toBe('tokens')
    expect(standIn.requests).toHaveLength(1)
    const used = events.find((event) => event.kind === 'usage')
    expect(used?.kind === 'usage' && used.tokens.input).toBeGreaterThanOrEqual(25)
  })

  it('after the maximum number of tokens, including those of an interrupted turn', async () => {
    const model: Model = {
      name: 'test/breaks',
      async *turn(): AsyncGenerator<ModelPart> {
        yield { kind: 'text', text: 'x'.repeat(400) }
        yield { kind: 'failed', message: 'gone', retryable: false, waitMs: null }
      },
    }
    const { agent, events } = await openScene([], { model })
    expect((await agent.say('look')).why).toBe('model-failed')
    expect(events.filter(({ kind }) => kind === 'usage')).toMatchObject([{ tokens: { output: 100 } }])
  })

  it('after the maximum number of consecutive errors', async () => {
    const broken = reader('look', ({ n }) => {
      throw new Error(`no lamp ${n}`)
    })
    const answers = (_: unknown, at: number) => ({ calls: [{ tool: 'look', args: { n: at } }] })
    const { agent, standIn } = await openScene(answers, { tools: [broken] })
    expect((await agent.say('look')).why).toBe('errors')
    expect(standIn.requests).toHaveLength(5)
  })

  it('after the maximum time, and stops running tools', async () => {
    let ended = false
    const slow = marker('look', {
      describe: () => ({ kind: 'read' }),
      run: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            ended = true
            resolve('half of it')
          })
        }),
    })
    const scene = await openScene(calling([['look', {}]]), { tools: [slow], guards: { timeMs: 60_000 } })
    const started = new Promise<void>((resolve) => {
      scene.agent.subscribe(({ kind }) => void (kind === 'started' && resolve()))
    })
    const done = scene.agent.say('look')
    await started
    await scene.world.clock.advance(60_000)
    expect(await done).toMatchObject({ why: 'time' })
    expect(ended).toBe(true)
  })

  it('59: but does not count the time a person takes', async () => {
    const deploy = marker()
    const scene = await openScene(calling([['deploy_site', {}]]), { tools: [deploy], guards: { timeMs: 60_000 } })
    const done = scene.agent.say('deploy')
    const [view] = await scene.held()
    await scene.world.clock.advance(120_000)
    if (view !== undefined) await scene.world.decide(view, { kind: 'approve' })
    expect((await done).why).toBe('done')
    expect(deploy.marks).toHaveLength(1)
  })
})

describe('while a person is asked', () => {
  it('59: the clock runs as long as another call is running', async () => {
    const slow = marker('look', {
      describe: () => ({ kind: 'read' }),
      run: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('half of it'))),
    })
    const answers = calling([
      ['deploy_site', {}],
      ['look', {}],
    ])
    const scene = await openScene(answers, { tools: [marker(), slow], guards: { timeMs: 60_000 } })
    const started = new Promise<void>((resolve) => {
      scene.agent.subscribe(({ kind }) => void (kind === 'started' && resolve()))
    })
    const done = scene.agent.say('look')
    await Promise.all([started, scene.held()])
    await scene.world.clock.advance(60_000)
    expect(await done).toMatchObject({ why: 'time' })
  })
})

describe('calls over the maximum per turn', () => {
  it('are answered with an error, the others as usual', async () => {
    const look = marker('look', { describe: () => ({ kind: 'read' }) })
    const calls = Array.from({ length: 6 }, (_, n) => ['look', { n }] as const)
    const { agent, told } = await openScene(calling(calls), { tools: [look], guards: { parallelCalls: 4 } })
    await agent.say('look')
    expect(look.marks.map(({ n }) => n)).toEqual([0, 1, 2, 3])
    expect(told().slice(5)).toEqual(
      Array(2).fill(expect.stringMatching(/more than 4 calls in one turn; request fewer/)),
    )
  })
})
