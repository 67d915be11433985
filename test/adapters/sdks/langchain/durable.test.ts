import { describe, expect, it, vi } from 'vitest'
import { openDesk } from '../../support/open-desk.ts'
import { durableAgent } from './durable-agent.ts'

const APPROVE = { kind: 'approve' } as const

async function paused() {
  const desk = await openDesk('none')
  const effect = vi.fn((what: string) => what)
  const { saved, paused } = await durableAgent(desk.gate, effect).begin()
  return { desk, saved, paused, ran: () => effect.mock.calls.flat(), agent: durableAgent(desk.gate, effect) }
}

describe('a durable run of LangGraph', () => {
  it('pauses only for the call that a person must decide', async () => {
    const { desk, paused: interruptions, ran } = await paused()
    expect({ interruptions, ran: ran(), held: (await desk.held(1)).length }).toEqual({
      interruptions: 1,
      ran: ['look bea'],
      held: 1,
    })
  })

  it('runs the call once after it was approved', async () => {
    const { desk, saved, ran, agent } = await paused()
    await desk.decideHeld(APPROVE)
    const { text, told } = await agent.resume(saved)
    expect({ text, told: told.includes('send ana') }).toEqual({ text: 'done', told: true })
    expect(ran()).toEqual(['look bea', 'send ana'])
  })

  it('tells the model that a person rejected it', async () => {
    const { desk, saved, ran, agent } = await paused()
    await desk.decideHeld({ kind: 'reject', reason: 'not today' })
    expect((await agent.resume(saved)).told).toContain('NOT EXECUTED (rejected)')
    expect(ran()).toEqual(['look bea'])
  })

  it('waits when it is resumed before anybody decided', async () => {
    const { desk, saved, ran, agent } = await paused()
    const resumed = agent.resume(saved)
    await desk.decideAll(1, { ...APPROVE, edited: { to: 'cleo' } })
    await resumed
    expect(ran()).toEqual(['look bea', 'send cleo'])
  })

  it('runs nothing when the same state is resumed again', async () => {
    const { desk, saved, ran, agent } = await paused()
    await desk.decideHeld(APPROVE)
    await agent.resume(saved)
    expect((await agent.resume(saved)).told).toContain('this call is over (completed); it is not run again')
    expect(ran()).toEqual(['look bea', 'send ana'])
  })

  it('runs nothing when the arguments in the state were changed', async () => {
    const { desk, saved, ran, agent } = await paused()
    await desk.decideHeld(APPROVE)
    const changed = saved.replaceAll('\\"to\\":\\"ana\\"', '\\"to\\":\\"eve\\"')
    expect(changed).not.toBe(saved)
    expect((await agent.resume(changed)).told).toContain('another call was submitted under the id')
    expect(ran()).toEqual(['look bea'])
  })
})
