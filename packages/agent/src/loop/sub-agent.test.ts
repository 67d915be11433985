import { openView } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { marker, openScene, reader } from './fixture.mts'

/** One endpoint serves both agents, distinguished by their system prompts. */
const answers = (script: Readonly<Record<'clerk' | 'courier', readonly object[]>>) => {
  const at = { clerk: 0, courier: 0 }
  return ({ body }: { body: { messages: readonly { content?: unknown }[] } }) => {
    const who = String(body.messages[0]?.content).includes('courier') ? 'courier' : 'clerk'
    at[who] += 1
    return script[who][at[who] - 1] ?? { text: `${who} is done.` }
  }
}
const HAND_ON = { calls: [{ tool: 'delegate', args: { agent: 'courier', task: 'bring it' } }] }

describe('a sub-agent', () => {
  it('38: has its call labelled, held and decided like any other, and returns its answer', async () => {
    const deploy = marker()
    const courier = { name: 'courier', description: 'brings things', system: 'You are courier.', tools: [deploy] }
    const script = {
      clerk: [HAND_ON],
      courier: [{ calls: [{ tool: 'deploy_site', args: {} }] }, { text: 'Brought it.' }],
    }
    const scene = await openScene(answers(script), { subAgents: [courier] })
    const done = scene.agent.say('send it')
    const [view] = await scene.held()
    if (view === undefined) throw new Error('nothing is held')
    expect(openView(view, scene.world.ports.crypto).body.call.agent).toEqual(['clerk', 'courier'])
    expect(scene.events.find(({ kind }) => kind === 'held')).toMatchObject({ agent: 'clerk/courier' })
    await scene.world.decide(view, { kind: 'approve' })
    expect((await done).why).toBe('done')
    expect(deploy.marks).toHaveLength(1)
    expect(scene.told()).toEqual(['send it', 'Brought it.'])
    expect(scene.steps('delegate')).toEqual(['requested', 'judged', 'started', 'completed'])
    expect(scene.steps('deploy_site')).toEqual(['requested', 'judged', 'held', 'approved', 'started', 'completed'])
    expect(scene.events.filter(({ kind }) => kind === 'stopped').map(({ agent }) => agent)).toEqual([
      'clerk/courier',
      'clerk',
    ])
  })

  it('38: is the only one told of a rejection, and continues', async () => {
    const courier = { name: 'courier', description: 'brings things', system: 'You are courier.', tools: [marker()] }
    const script = {
      clerk: [HAND_ON],
      courier: [{ calls: [{ tool: 'deploy_site', args: {} }] }, { text: 'I may not.' }],
    }
    const scene = await openScene(answers(script), { subAgents: [courier] })
    const done = scene.agent.say('send it')
    const [view] = await scene.held()
    if (view !== undefined) await scene.world.decide(view, { kind: 'reject' })
    await done
    expect(scene.told()).toEqual(['send it', 'I may not.'])
  })

  it('is stopped with its parent', async () => {
    const courier = { name: 'courier', description: 'brings things', system: 'You are courier.', tools: [marker()] }
    const script = { clerk: [HAND_ON], courier: [{ calls: [{ tool: 'deploy_site', args: {} }] }] }
    const scene = await openScene(answers(script), { subAgents: [courier] })
    const person = new AbortController()
    const done = scene.agent.say('send it', person.signal)
    await scene.held()
    person.abort()
    expect((await done).why).toBe('aborted')
    expect(await scene.held(0)).toEqual([])
  })

  it('spends its parent’s tokens', async () => {
    const courier = { name: 'courier', description: 'brings things', system: 'You are courier.', tools: [reader()] }
    const script = { clerk: [HAND_ON], courier: [{ text: 'Brought it.', tokens: { input: 500, output: 500 } }] }
    const scene = await openScene(answers(script), { subAgents: [courier], guards: { tokens: 900 } })
    expect((await scene.agent.say('send it')).why).toBe('tokens')
  })

  it('uses its parent’s turns, and has none of its own', async () => {
    let n = 0
    const courier = {
      name: 'courier',
      description: 'brings things',
      system: 'You are courier.',
      tools: [reader('look', () => `${n++}`)],
      guards: { iterations: 100 },
    }
    const looks = Array.from({ length: 20 }, () => ({ calls: [{ tool: 'look', args: {} }] }))
    const script = { clerk: [HAND_ON], courier: looks }
    const scene = await openScene(answers(script), { subAgents: [courier], guards: { iterations: 5 } })
    expect((await scene.agent.say('send it')).why).toBe('iterations')
    expect(scene.standIn.requests).toHaveLength(5)
  })

  it('59: stops its parent’s clock while a person is asked about its call', async () => {
    const courier = { name: 'courier', description: 'brings things', system: 'You are courier.', tools: [marker()] }
    const script = { clerk: [HAND_ON], courier: [{ calls: [{ tool: 'deploy_site', args: {} }] }] }
    const scene = await openScene(answers(script), { subAgents: [courier], guards: { timeMs: 60_000 } })
    const done = scene.agent.say('send it')
    const [view] = await scene.held()
    await scene.world.clock.advance(120_000)
    if (view !== undefined) await scene.world.decide(view, { kind: 'approve' })
    expect((await done).why).toBe('done')
  })

  it('that does not exist is an error for the model', async () => {
    const courier = { name: 'courier', description: 'brings things', tools: [] }
    const call = { calls: [{ tool: 'delegate', args: { agent: 'thief', task: 'take it' } }] }
    const scene = await openScene([call], { subAgents: [courier] })
    await scene.agent.say('send it')
    expect(scene.told().at(-1)).toMatch(/^FAILED: `agent` must be one of the agents/)
  })
})
