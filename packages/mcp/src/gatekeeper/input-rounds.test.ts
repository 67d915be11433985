import type { Permit } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { createOpenRounds } from './input-rounds.ts'

const MINUTE = 60_000
const permit = (callId: string) => ({ kind: 'permit', callId }) as Permit
const first = (callId: string) => ({ permit: permit(callId), count: 0, since: null })

function clocked() {
  const clock = { at: 0 }
  return { clock, rounds: createOpenRounds(() => clock.at) }
}

describe('rounds that wait for a retry', () => {
  it('are used once, the older of two equal ones first', () => {
    const { rounds } = clocked()
    rounds.open('key', first('a'))
    rounds.open('key', first('b'))
    expect([rounds.take('key'), rounds.take('key'), rounds.take('key')].map((one) => one?.permit.callId)).toEqual([
      'a',
      'b',
      undefined,
    ])
    expect(rounds.take('other')).toBeNull()
  })

  it('expire ten minutes after the server’s first request, however often it asks', () => {
    const { clock, rounds } = clocked()
    rounds.open('key', first('a'))
    clock.at = 9 * MINUTE
    const round = rounds.take('key')
    if (round === null) throw new Error('it is gone')
    expect(rounds.open('key', { ...round, count: 1 })).toBe(true)
    clock.at = 10 * MINUTE
    expect(rounds.take('key')).toBeNull()
    expect(rounds.abandoned(false)).toEqual([permit('a')])
    expect(rounds.open('key', { ...round, count: 2 })).toBe(false)
    expect(rounds.abandoned(true)).toEqual([])
  })

  it('are limited to ten per permit', () => {
    const { rounds } = clocked()
    expect(rounds.open('key', { ...first('a'), count: 9 })).toBe(true)
    expect(rounds.open('key', { ...first('b'), count: 10 })).toBe(false)
  })

  it('are limited to 64: the oldest are dropped', () => {
    const { rounds } = clocked()
    for (let at = 0; at < 66; at += 1) rounds.open(`key ${at}`, first(String(at)))
    expect(rounds.abandoned(false)).toEqual([permit('0'), permit('1')])
    expect(rounds.abandoned(false)).toEqual([])
    expect(rounds.abandoned(true)).toHaveLength(64)
  })
})
