import { openView } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { argsOf, calling, heldOf, marker, openScene, reader, toolOf } from './fixture.mts'

describe('a call in the loop', () => {
  it('25: has no effect until approved, then runs exactly once, and the model gets its result', async () => {
    const deploy = marker()
    const { agent, world, held, steps, told } = await openScene(calling([['deploy_site', { n: 1 }]]), {
      tools: [deploy],
    })
    const done = agent.say('deploy it')
    const [view] = await held()
    expect(deploy.marks).toEqual([])
    if (view !== undefined) await world.decide(view, { kind: 'approve' })
    expect(await done).toEqual({ why: 'done', message: 'the agent is done' })
    expect(deploy.marks).toEqual([{ n: 1 }])
    expect(steps()).toEqual(['requested', 'judged', 'held', 'approved', 'started', 'completed'])
    expect(told()).toEqual(['deploy it', 'deploy_site ran'])
    expect(agent.messages.at(-1)).toEqual({ role: 'agent', text: 'All done.', calls: [] })
  })

  it('runs without asking if the policy allows it, and reports every step', async () => {
    const { agent, events, steps } = await openScene(calling([['look', {}]]), { tools: [reader()] })
    await agent.say('look')
    expect(steps()).toEqual(['requested', 'judged', 'started', 'completed'])
    expect(
      events.filter(({ kind }) => kind === 'usage' || kind === 'turn' || kind === 'stopped').map(({ kind }) => kind),
    ).toEqual(['turn', 'usage', 'turn', 'usage', 'stopped'])
    expect(events.find(({ kind }) => kind === 'judged')).toMatchObject({ risk: 'none', supervision: 'automatic' })
  })

  it('26: returns an error with the reason if rejected, and the loop continues', async () => {
    const deploy = marker()
    const { agent, world, held, steps, told } = await openScene(calling([['deploy_site', { n: 1 }]]), {
      tools: [deploy],
    })
    const done = agent.say('deploy it')
    const [view] = await held()
    if (view !== undefined) await world.decide(view, { kind: 'reject', reason: 'use staging' })
    expect((await done).why).toBe('done')
    expect(deploy.marks).toEqual([])
    expect(steps()).toEqual(['requested', 'judged', 'held', 'refused'])
    expect(told().at(-1)).toBe(
      'NOT EXECUTED (rejected): ana rejected this call. The person said: “use staging”. Risk: high: sends something to others. Rule: preset.balanced.high (the balanced preset). Follow what the person said, or ask how to continue. Do not retry this call unchanged.',
    )
  })

  it('27, 34: expires if nobody is there, distinct from rejected, and a late approval has no effect', async () => {
    const deploy = marker()
    const { agent, world, held, events, told } = await openScene(calling([['deploy_site', { n: 1 }]]), {
      tools: [deploy],
    })
    const done = agent.say('deploy it')
    const [view] = await held()
    await world.clock.advance(300_000)
    await done
    expect(told().at(-1)).toMatch(/^NOT EXECUTED \(expired\): nobody decided before the deadline/)
    expect(events.find(({ kind }) => kind === 'refused')).toMatchObject({ refusal: { outcome: 'expired' } })
    if (view !== undefined) expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false })
    expect(deploy.marks).toEqual([])
  })

  it('28: waits as long as its rule allows, and no longer', async () => {
    const policy = 'version: 1\nrules:\n  - { id: ask, tool: deploy_site, supervision: confirm, timeout: 30s }\n'
    const scene = await openScene(calling([['deploy_site', {}]]), { tools: [marker()], policy })
    const done = scene.agent.say('deploy it')
    await scene.held()
    await scene.world.clock.advance(29_000)
    expect(await scene.held()).toHaveLength(1)
    await scene.world.clock.advance(1_000)
    await done
    expect(scene.told().at(-1)).toMatch(/^NOT EXECUTED \(expired\)/)
  })

  it('36: is shown in full although the tool has no preview', async () => {
    const scene = await openScene(calling([['deploy_site', { n: 1 }]]), { tools: [marker()] })
    const done = scene.agent.say('deploy it')
    const [view] = await scene.held()
    if (view === undefined) throw new Error('nothing is held')
    expect(openView(view, scene.world.ports.crypto).body.call.args).toEqual({ n: 1 })
    expect(view.effect).toContain('deploy_site')
    await scene.world.decide(view, { kind: 'reject' })
    await done
  })

  it('denied by policy, asks nobody', async () => {
    const policy = 'version: 1\nrules:\n  - { id: no, tool: deploy_site, supervision: deny, reason: not today }\n'
    const deploy = marker()
    const { agent, steps, told } = await openScene(calling([['deploy_site', {}]]), { tools: [deploy], policy })
    await agent.say('deploy it')
    expect(steps()).toEqual(['requested', 'judged', 'refused'])
    expect(told().at(-1)).toMatch(/^NOT EXECUTED \(denied\): policy rule `no` denies this call/)
    expect(deploy.marks).toEqual([])
  })

  it('29: two at once are held together and decided separately, the second first, and answered in order', async () => {
    const [one, two] = [marker('deploy_one'), marker('deploy_two')]
    const turns = calling([
      ['deploy_one', { n: 1 }],
      ['deploy_two', { n: 2 }],
    ])
    const { agent, world, held, told } = await openScene(turns, { tools: [one, two] })
    const done = agent.say('both')
    const both = await held(2)
    await world.decide(heldOf(both, 'deploy_two'), { kind: 'approve' })
    const [left] = await held(1)
    if (left === undefined) throw new Error('nothing is left')
    expect(toolOf(left)).toBe('deploy_one')
    await world.decide(left, { kind: 'reject' })
    await done
    expect([one.marks, two.marks]).toEqual([[], [{ n: 2 }]])
    expect(told().slice(1)).toEqual([expect.stringMatching(/^NOT EXECUTED \(rejected\)/), 'deploy_two ran'])
  })

  it('30: ignores a second decision', async () => {
    const deploy = marker()
    const { agent, world, held } = await openScene(calling([['deploy_site', {}]]), { tools: [deploy] })
    const done = agent.say('deploy it')
    const [view] = await held()
    if (view === undefined) throw new Error('nothing is held')
    await world.decide(view, { kind: 'approve' })
    expect(await world.decide(view, { kind: 'reject' })).toMatchObject({ accepted: false })
    await done
    expect(deploy.marks).toHaveLength(1)
  })

  it('33: twenty at once, decided at random, are each answered once and run at most once', async () => {
    const deploy = marker()
    const calls = Array.from({ length: 20 }, (_, n) => ['deploy_site', { n }] as const)
    const { agent, world, held, told } = await openScene(calling(calls), { tools: [deploy] })
    const done = agent.say('all')
    const views = await held(20)
    const approved = views.filter((_, at) => at % 3 === 0)
    await Promise.all(views.map((view) => world.decide(view, { kind: approved.includes(view) ? 'approve' : 'reject' })))
    await done
    const ran = deploy.marks.map(({ n }) => n).toSorted()
    expect(ran).toEqual(approved.map((view) => argsOf(view)['n']).toSorted())
    expect(told()).toHaveLength(21)
    expect(told().filter((text) => text === 'deploy_site ran')).toHaveLength(approved.length)
  })

  it('47: runs with the edited arguments', async () => {
    const deploy = marker()
    const { agent, world, held } = await openScene(calling([['deploy_site', { n: 1 }]]), { tools: [deploy] })
    const done = agent.say('deploy it')
    const [view] = await held()
    if (view !== undefined) await world.decide(view, { kind: 'approve', edited: { n: 9 } })
    await done
    expect(deploy.marks).toEqual([{ n: 9 }])
  })

  it('shows the agent and its text to the person', async () => {
    const answers = [{ text: 'The build is green.', calls: [{ tool: 'deploy_site', args: {} }] }]
    const { agent, world, held } = await openScene(answers, { tools: [marker()] })
    const done = agent.say('deploy it')
    const [view] = await held()
    if (view === undefined) throw new Error('nothing is held')
    expect(view.said).toBe('The build is green.')
    expect(openView(view, world.ports.crypto).body.call.agent).toEqual(['clerk'])
    await world.decide(view, { kind: 'reject' })
    await done
  })

  it('fails with a message if the tool throws', async () => {
    const broken = reader('look', () => {
      throw new Error('the lamp is off')
    })
    const { agent, steps, told } = await openScene(calling([['look', {}]]), { tools: [broken] })
    await agent.say('look')
    expect(steps()).toEqual(['requested', 'judged', 'started', 'failed'])
    expect(told().at(-1)).toBe('FAILED: the lamp is off')
  })
})

describe('an invalid call', () => {
  it.each([
    ['broken JSON', 'deploy_site', '{"n": 1', /arguments are not a JSON object/],
    ['a list', 'deploy_site', '[1]', /arguments are not a JSON object/],
    ['a bare word', 'deploy_site', '"all"', /arguments are not a JSON object/],
    ['an unknown tool', 'rm_all', '{}', /there is no tool `rm_all`; use one of deploy_site/],
    ['a name that every object has', 'constructor', '{}', /there is no tool `constructor`/],
  ])('(%s) returns an error, and nobody is asked', async (_, tool, args, words) => {
    const deploy = marker()
    const { agent, world, steps, told } = await openScene(calling([[tool, args]]), { tools: [deploy] })
    await agent.say('go')
    expect(steps()).toEqual(['requested', 'refused'])
    expect(told().at(-1)).toMatch(/^NOT EXECUTED \(refused\)/)
    expect(told().at(-1)).toMatch(words)
    expect(deploy.marks).toEqual([])
    expect((await world.entries()).filter(({ kind }) => kind === 'held' || kind === 'started')).toEqual([])
  })

  it('treats missing arguments as an empty object', async () => {
    const look = marker('look', { describe: () => ({ kind: 'read' }) })
    const { agent } = await openScene(calling([['look', '']]), { tools: [look] })
    await agent.say('look')
    expect(look.marks).toEqual([{}])
  })

  it('is not run if the answer was truncated', async () => {
    const deploy = marker()
    const answers = [{ calls: [{ tool: 'deploy_site', args: {} }], finish: 'length' as const }]
    const { agent, told } = await openScene(answers, { tools: [deploy] })
    await agent.say('go')
    expect(told().at(-1)).toMatch(/cut off at its length limit/)
  })

  it('is not run if the provider withheld the answer', async () => {
    const answers = [{ text: 'Well', calls: [{ tool: 'deploy_site', args: {} }], finish: 'content_filter' as const }]
    const { agent, steps } = await openScene(answers, { tools: [marker()] })
    expect(await agent.say('go')).toMatchObject({ why: 'model-failed' })
    expect(steps()).toEqual([])
  })
})

describe('an agent', () => {
  it('offers its tools without anything the SDK could run', async () => {
    const { agent, standIn } = await openScene([{ text: 'Hello.' }], { tools: [marker()] })
    await agent.say('hello')
    expect(standIn.requests[0]?.body.tools?.map((tool) => tool.function.name)).toEqual(['deploy_site'])
    expect(standIn.requests[0]?.body.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  })

  it('continues the same conversation', async () => {
    const { agent, standIn } = await openScene([{ text: 'Hello.' }, { text: 'Still here.' }])
    await agent.say('hello')
    await agent.say('there?')
    expect(standIn.requests[1]?.body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  })

  it('runs one turn at a time', async () => {
    const { agent } = await openScene([{ text: 'Hello.' }])
    const first = agent.say('hello')
    await expect(agent.say('again')).rejects.toMatchObject({ code: 'CS_USAGE' })
    await first
  })

  it('refuses two tools with the same name', async () => {
    await expect(openScene([], { tools: [marker(), marker()] })).rejects.toThrow(/two tools are called `deploy_site`/)
  })

  it('refuses a tool named `proceed`', async () => {
    await expect(openScene([], { tools: [marker('proceed')] })).rejects.toThrow(/must not be called `proceed`/)
  })

  it('is not affected by a listener that throws', async () => {
    const { agent } = await openScene([{ text: 'Hello.' }])
    agent.subscribe(() => {
      throw new Error('a bug of the surface')
    })
    expect((await agent.say('hello')).why).toBe('done')
  })
})
