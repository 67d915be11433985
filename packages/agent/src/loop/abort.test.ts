import { isAlive } from '@countersign/testing/process-alive'
import { describe, expect, it, vi } from 'vitest'
import { BUILTIN_TOOLS } from '../tools/builtin-tools.ts'
import { calling, marker, openScene, PATIENCE } from './fixture.mts'

const ABORTED = { why: 'aborted', message: 'stopped; nothing is running or waiting any more' }
const RUN_ALL =
  'version: 1\nrules:\n  - { id: run, tool: execute_command, supervision: automatic, up_to: high, contain: false }\n'

describe('stopping the agent', () => {
  it('32: while calls are held withdraws them all, and a late approval has no effect', async () => {
    const deploy = marker()
    const scene = await openScene(
      calling([
        ['deploy_site', { n: 1 }],
        ['deploy_site', { n: 2 }],
      ]),
      { tools: [deploy] },
    )
    const person = new AbortController()
    const done = scene.agent.say('deploy', person.signal)
    const [view] = await scene.held(2)
    person.abort()
    expect(await done).toEqual(ABORTED)
    expect(await scene.held(0)).toEqual([])
    if (view !== undefined)
      expect(await scene.world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false })
    expect(deploy.marks).toEqual([])
    expect(scene.events.filter(({ kind }) => kind === 'refused')).toMatchObject([
      { refusal: { outcome: 'withdrawn' } },
      { refusal: { outcome: 'withdrawn' } },
    ])
    const kinds = (await scene.world.entries()).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'withdrawn')).toHaveLength(2)
    expect(scene.events.at(-1)).toMatchObject({ kind: 'stopped', stop: ABORTED })
  })

  it('leaves a conversation that can continue: every call in it is answered', async () => {
    const scene = await openScene([...calling([['deploy_site', {}]]).slice(0, 1), { text: 'Good.' }], {
      tools: [marker()],
    })
    const person = new AbortController()
    const done = scene.agent.say('deploy', person.signal)
    await scene.held()
    person.abort()
    await done
    expect((await scene.agent.say('never mind')).why).toBe('done')
    const roles = scene.standIn.requests.at(-1)?.body.messages.map(({ role }) => role)
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
  })

  it('while a command runs kills it and all its children', async () => {
    const command = 'sleep 300 & echo "pid $!"; wait'
    const scene = await openScene(calling([['execute_command', { command }]]), {
      tools: BUILTIN_TOOLS,
      policy: RUN_ALL,
    })
    const person = new AbortController()
    const done = scene.agent.say('wait', person.signal)
    const pid = await vi.waitFor(() => {
      const said = scene.events.flatMap((event) => (event.kind === 'output' ? [event.text] : [])).join('')
      const [, found] = /pid (\d+)/.exec(said) ?? []
      if (found === undefined) throw new Error('it has not started yet')
      return Number(found)
    }, PATIENCE)
    expect(isAlive(pid)).toBe(true)
    person.abort()
    expect(await done).toEqual(ABORTED)
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), PATIENCE)
  })

  it('while the model answers disconnects, and keeps the text so far', async () => {
    const scene = await openScene([{ hangAfter: 'Let me think' }])
    const person = new AbortController()
    const done = scene.agent.say('think', person.signal)
    await vi.waitFor(() => expect(scene.events.some(({ kind }) => kind === 'text')).toBe(true), PATIENCE)
    person.abort()
    expect(await done).toEqual(ABORTED)
    await vi.waitFor(() => expect(scene.standIn.abandoned).toBe(1), PATIENCE)
    expect(scene.agent.messages.at(-1)).toEqual({ role: 'agent', text: 'Let me think', calls: [] })
  })

  it('before it started asks nobody', async () => {
    const scene = await openScene([])
    expect(await scene.agent.say('go', AbortSignal.abort())).toEqual(ABORTED)
    expect(scene.standIn.requests).toEqual([])
  })

  it('does not wait forever for a tool that ignores the signal', async () => {
    const hearing = Promise.withResolvers<string>()
    const deaf = marker('look', { describe: () => ({ kind: 'read' }), run: () => hearing.promise })
    const scene = await openScene(calling([['look', {}]]), { tools: [deaf] })
    const person = new AbortController()
    const done = scene.agent.say('look', person.signal)
    await vi.waitFor(() => expect(scene.steps()).toContain('started'), PATIENCE)
    person.abort()
    await scene.world.clock.advance(10_000)
    expect(await done).toEqual(ABORTED)
    expect(scene.events.find(({ kind }) => kind === 'failed')).toMatchObject({
      message: expect.stringMatching(/may still be running/),
    })
    hearing.resolve('at last')
  })

  it('37: closing the gate during a held call runs nothing, and the model is told', async () => {
    const deploy = marker()
    const scene = await openScene(calling([['deploy_site', {}]]), { tools: [deploy] })
    const done = scene.agent.say('deploy')
    await scene.held()
    await scene.world.gate.close()
    await done
    expect(deploy.marks).toEqual([])
    expect(scene.told().at(-1)).toMatch(/^NOT EXECUTED \(withdrawn\)/)
  })
})
