import { describe, expect, it } from 'vitest'
import { askGate } from './asking-gate.ts'
import { RefusedCall } from './refused-call.ts'
import { runGated, streamGated } from './run-gated.ts'
import { permitFor, REJECTED, type ScriptedGate, scriptedGate } from './scripted-gate.fixture.ts'

/** Runs one call through the gate and records what the tool got. */
function attempt(gate: ScriptedGate, signal?: AbortSignal, effect = (args: unknown): unknown => args) {
  const ran: unknown[] = []
  const result = runGated(
    gate,
    (leaving) => askGate(gate, { tool: 'send', args: { to: 'a' } }, leaving),
    (args) => {
      ran.push(structuredClone(args))
      return effect(args)
    },
    signal,
  )
  return { ran, result }
}

describe('a gated call', () => {
  it('runs once with the permitted arguments, and its outcome is recorded', async () => {
    const gate = scriptedGate(() => permitFor({ to: 'b' }))
    const { ran, result } = attempt(gate)
    expect(await result).toEqual({ to: 'b' })
    expect(ran).toEqual([{ to: 'b' }])
    expect(gate.settled).toEqual([{ callId: 'c1', outcome: 'completed', detail: undefined }])
  })

  it('gives the tool a copy, so that the permit stays as it was', async () => {
    const permit = permitFor(Object.freeze({ to: 'b' }))
    const { result } = attempt(
      scriptedGate(() => permit),
      undefined,
      (args) => Object.assign(args as object, { to: 'c' }),
    )
    expect(await result).toEqual({ to: 'c' })
    expect(permit.args).toEqual({ to: 'b' })
  })

  it('throws what the tool throws, recorded as failed', async () => {
    const gate = scriptedGate(() => permitFor({}))
    const { result } = attempt(gate, undefined, () => {
      throw new Error('no network')
    })
    await expect(result).rejects.toThrow('no network')
    expect(gate.settled).toEqual([{ callId: 'c1', outcome: 'failed', detail: 'no network' }])
  })

  it('returns the result of a tool that ran, even if the outcome cannot be recorded (L7)', async () => {
    const gate = scriptedGate(() => permitFor({}))
    const { result } = attempt(
      { ...gate, settle: () => Promise.reject(new Error('full disk')) },
      undefined,
      () => 'sent',
    )
    expect(await result).toBe('sent')
  })

  it('tells the model why it was refused', async () => {
    const { ran, result } = attempt(scriptedGate(() => REJECTED))
    await expect(result).rejects.toThrow(/^NOT EXECUTED \(rejected\): Ana rejected this call\. .*“not today”/)
    await expect(result).rejects.toBeInstanceOf(RefusedCall)
    expect(ran).toEqual([])
  })
})

describe('a gate that fails (L3)', () => {
  const thrown = (): never => {
    throw new Error('secret internals')
  }
  it.each<[string, () => unknown]>([
    ['throws', thrown],
    ['answers nothing', () => undefined],
    ['answers null', () => null],
    ['answers a boolean', () => true],
    ['answers a word', () => 'approved'],
    ['answers an approval of another kind', () => ({ kind: 'approved', args: {} })],
    ['answers a permit without arguments', () => ({ kind: 'permit', callId: 'c1' })],
    ['answers a permit with a list as arguments', () => ({ kind: 'permit', callId: 'c1', args: [] })],
    ['answers a permit without a call', () => ({ kind: 'permit', args: {} })],
    ['answers a refusal without words', () => ({ kind: 'refusal' })],
  ])('runs nothing when it %s', async (_, answer) => {
    const { ran, result } = attempt(scriptedGate(answer))
    await expect(result).rejects.toThrow(
      /^NOT EXECUTED \(refused\): the gate (failed|returned an invalid answer), so nothing ran/,
    )
    await expect(result).rejects.not.toThrow('secret')
    expect(ran).toEqual([])
  })
})

describe('an agent that stops', () => {
  it('is not asked for when it had already stopped', async () => {
    const gate = scriptedGate(() => permitFor({}))
    const { ran, result } = attempt(gate, AbortSignal.abort())
    await expect(result).rejects.toThrow(/^NOT EXECUTED \(withdrawn\)/)
    expect({ ran, asked: gate.asked }).toEqual({ ran: [], asked: [] })
  })

  it('gets an answer although the gate hangs, and the gate is told', async () => {
    let leaving: AbortSignal | undefined
    const stop = new AbortController()
    const gate = scriptedGate((_, signal) => {
      leaving = signal
      return new Promise(() => {})
    })
    const { ran, result } = attempt(gate, stop.signal)
    stop.abort(new Error('the user pressed stop'))
    await expect(result).rejects.toThrow(/^NOT EXECUTED \(withdrawn\)/)
    expect({ ran, reason: leaving?.reason }).toEqual({ ran: [], reason: 'gone' })
  })

  it('runs nothing on a permit that comes too late, and the journal tells so (L6)', async () => {
    const late = Promise.withResolvers<unknown>()
    const stop = new AbortController()
    const gate = scriptedGate(() => late.promise)
    const { ran, result } = attempt(gate, stop.signal)
    stop.abort()
    await expect(result).rejects.toBeInstanceOf(RefusedCall)
    late.resolve(permitFor({}))
    await expect
      .poll(() => gate.settled)
      .toEqual([{ callId: 'c1', outcome: 'failed', detail: 'the agent stopped before the tool started; nothing ran' }])
    expect(ran).toEqual([])
  })

  it('runs nothing when it stops between the approval and the start', async () => {
    const stop = new AbortController()
    const gate = scriptedGate(() => {
      queueMicrotask(() => queueMicrotask(() => stop.abort()))
      return permitFor({})
    })
    const { ran, result } = attempt(gate, stop.signal)
    await expect(result).rejects.toBeInstanceOf(RefusedCall)
    expect({ ran, ended: gate.settled.map(({ outcome }) => outcome) }).toEqual({ ran: [], ended: ['failed'] })
  })
})

it('looks at the signal once more right before the tool starts', async () => {
  const gate = scriptedGate(() => permitFor({}))
  let looks = 0
  const silent = Object.defineProperty(new AbortController().signal, 'aborted', { get: () => ++looks > 1 })
  const { ran, result } = attempt(gate, silent)
  await expect(result).rejects.toBeInstanceOf(RefusedCall)
  expect({ ran, ended: gate.settled.map(({ outcome }) => outcome) }).toEqual({ ran: [], ended: ['failed'] })
})

describe('a tool that yields parts', () => {
  const parts = async function* () {
    yield 1
    yield 2
  }
  const stream = (gate: ScriptedGate, effect: () => AsyncIterable<number>) =>
    streamGated(gate, (leaving) => askGate(gate, { tool: 'count', args: {} }, leaving), effect, undefined)

  it('has ended when its last part was read', async () => {
    const gate = scriptedGate(() => permitFor({}))
    const read: number[] = []
    for await (const part of stream(gate, parts)) read.push(part + gate.settled.length * 10)
    expect({ read, ended: gate.settled.map(({ outcome }) => outcome) }).toEqual({ read: [1, 2], ended: ['completed'] })
  })

  it('yields nothing when it is refused', async () => {
    const reading = stream(
      scriptedGate(() => REJECTED),
      parts,
    ).next()
    await expect(reading).rejects.toBeInstanceOf(RefusedCall)
  })

  it('has failed when nobody reads on, or when it throws', async () => {
    const gate = scriptedGate(() => permitFor({}))
    for await (const _ of stream(gate, parts)) break
    const throwing = stream(gate, async function* () {
      yield 1
      throw new Error('broken pipe')
    })
    const reading = async () => {
      for await (const _ of throwing);
    }
    await expect(reading()).rejects.toThrow('broken pipe')
    expect(gate.settled.map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ['failed', 'the agent stopped reading the result'],
      ['failed', 'broken pipe'],
    ])
  })
})
