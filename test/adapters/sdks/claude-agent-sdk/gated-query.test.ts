import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gateOptions } from '@countersign/adapters/claude-agent-sdk'
import { describe, expect, it, vi } from 'vitest'
import { openDesk } from '../../support/open-desk.ts'
import { type Asked, startQuery } from './run-query.ts'

const APPROVE = { kind: 'approve' } as const
const send = (to: string): Asked => ({ tool: 'mcp__mail__send', args: { to } })
const LOOK: Asked = { tool: 'mcp__mail__look', args: { to: 'bea' } }
const bash = (command: string): Asked => ({ tool: 'Bash', args: { command, description: 'Writes' } })
const spy = () => vi.fn((what: string) => what)

describe('tools of the Claude Agent SDK behind the gate', () => {
  it('wait for a person, and run what was approved, whatever the SDK allows itself', async () => {
    const desk = await openDesk()
    const ran = spy()
    const { finished } = await startQuery(desk, [send('ana')], ran, { allowedTools: ['mcp__mail__send'] })
    const [view] = await desk.held(1)
    expect(JSON.parse(view?.request ?? '').call.agent).toEqual(['claude'])
    expect(ran).not.toHaveBeenCalled()
    await desk.decideHeld(APPROVE)
    expect(await finished).toBe('done')
    expect(ran.mock.calls).toEqual([['send ana']])
    expect(await desk.outcomes()).toEqual(['mail/send completed'])
  })

  it('run the arguments that a person edited', async () => {
    const desk = await openDesk()
    const ran = spy()
    const { finished } = await startQuery(desk, [send('eve')], ran)
    await desk.decideAll(1, { ...APPROVE, edited: { to: 'ana' } })
    await finished
    expect(ran.mock.calls).toEqual([['send ana']])
  })

  it('give the model the words of a refusal, and its sibling still runs', async () => {
    const desk = await openDesk()
    const ran = spy()
    const { finished, told } = await startQuery(desk, [send('ana'), LOOK], ran, {
      allowedTools: ['mcp__mail__look'],
      about: { ungated: ['mcp__mail__look'] },
    })
    await desk.held(1)
    await desk.decideHeld({ kind: 'reject', reason: 'call her instead' })
    await finished
    expect(told()).toContain('NOT EXECUTED (rejected): Ana rejected this call.')
    expect(told()).toContain('“call her instead”')
    expect(ran.mock.calls).toEqual([['look bea']])
  })

  it('include the built-in shell, which an allow rule does not exempt', async () => {
    const desk = await openDesk()
    const { finished, home, told } = await startQuery(desk, [bash('touch made-by-bash')], spy(), {
      allowedTools: ['Bash'],
    })
    await desk.decideAll(1, { kind: 'reject' })
    await finished
    expect(told()).toContain('NOT EXECUTED (rejected)')
    expect(existsSync(join(home, 'made-by-bash'))).toBe(false)
  })

  it('include the built-in shell, with the command that a person edited', async () => {
    const desk = await openDesk()
    const { finished, home } = await startQuery(desk, [bash('echo one > made')], spy())
    await desk.decideAll(1, { ...APPROVE, edited: { command: 'echo two > made', description: 'Writes' } })
    await finished
    expect(readFileSync(join(home, 'made'), 'utf8')).toBe('two\n')
    expect(await desk.outcomes()).toEqual(['Bash completed'])
  })

  it('do not run when the gate throws', async () => {
    const desk = await openDesk()
    const ran = spy()
    const broken = { ...desk.gate, ask: () => Promise.reject(new Error('the store is gone')) }
    const { finished, told } = await startQuery({ gate: broken }, [send('ana')], ran, {
      allowedTools: ['mcp__mail__send'],
    })
    await finished
    expect(ran).not.toHaveBeenCalled()
    expect(told()).toContain('NOT EXECUTED')
  })

  it('are withdrawn when the query is aborted', async () => {
    const desk = await openDesk()
    const ran = spy()
    const abortController = new AbortController()
    const { finished } = await startQuery(desk, [send('ana')], ran, { abortController })
    const stopped = finished.catch(() => 'stopped')
    await desk.held(1)
    abortController.abort()
    await stopped
    await expect.poll(() => desk.outcomes()).toEqual(['mail/send withdrawn'])
    expect(ran).not.toHaveBeenCalled()
  })

  it('can be left out by name', async () => {
    const desk = await openDesk()
    const ran = spy()
    const { finished } = await startQuery(desk, [send('ana')], ran, {
      allowedTools: ['mcp__mail__send'],
      about: { ungated: ['mcp__mail__send'] },
    })
    await finished
    expect(ran.mock.calls).toEqual([['send ana']])
    expect(await desk.outcomes()).toEqual([])
  })
})

describe('other hooks before a tool', () => {
  it('are refused at set-up, because they could change the arguments', async () => {
    const { gate } = await openDesk()
    expect(() => gateOptions({ hooks: { PreToolUse: [{ hooks: [] }] } }, gate)).toThrow(
      'another `PreToolUse` hook could change what was permitted',
    )
  })
})
