import { describe, expect, it } from 'vitest'
import { parseDuration } from '../schema/duration.ts'
import { counterName, counterScope, limitLabel, limitPassed, parseLimit } from './limits.ts'
import type { Limit } from './rule.ts'

const limit = (name: Limit['name'], text: string): Limit => {
  const parsed = parseLimit(text)
  if (parsed === null) throw new Error(text)
  return { name, ...parsed, layer: 'user', file: 'policy.yaml', line: 1 }
}

describe('a duration', () => {
  it.each([
    ['1s', 1000],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['0s', null],
    ['05m', null],
    ['5', null],
    ['7d', 604_800_000],
    ['5w', null],
    ['1h30m', null],
    [' 5m', null],
  ])('%s is %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })
})

describe('the scope of a limit', () => {
  it('is one session, a time window, or a project’s folder', () => {
    const scopes = (text: string, layer: Limit['layer']) =>
      counterScope({ ...limit('calls', text), layer }, 's1', '/project')
    expect(scopes('5/session', 'user')).toBe('s1')
    expect(scopes('5/session', 'project')).toBe('s1')
    expect(scopes('5/h', 'user')).toBe('all')
    expect(scopes('5/h', 'managed')).toBe('all')
    expect(scopes('5/h', 'project')).toBe('in /project')
    expect(counterName({ ...limit('calls', '5/h'), layer: 'project' })).not.toBe(counterName(limit('calls', '5/h')))
  })
})

describe('a limit', () => {
  it.each([
    ['200/h', 200, 3_600_000],
    ['1/m', 1, 60_000],
    ['9/d', 9, 86_400_000],
    ['50/session', 50, null],
  ])('%s', (text, most, windowMs) => {
    expect(parseLimit(text)).toEqual({ most, windowMs })
    expect(limitLabel(limit('calls', text))).toBe(`calls ${text}`)
  })

  it.each(['0/h', '200', '/h', '-1/h', '1.5/h', '5/w', '5 / h', '9999999999/h'])('is not %s', (text) => {
    expect(parseLimit(text)).toBeNull()
  })

  it('allows exactly its number of calls', () => {
    const limits = [limit('calls', '3/h')]
    expect([0, 1, 2, 3, 4].map((used) => limitPassed(limits, { 'calls/h': used }) === null)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it('includes what the call itself would add', () => {
    const limits = [limit('lines', '100/session')]
    expect(limitPassed(limits, { 'lines/session': 60 }, { lines: 40 })).toBeNull()
    expect(limitPassed(limits, { 'lines/session': 60 }, { lines: 41 })?.name).toBe('lines')
    expect(limitPassed(limits, { 'lines/session': 100 }, { lines: 0 })).toBeNull()
  })

  it('counts two windows of the same thing separately', () => {
    const limits = [limit('calls', '10/m'), limit('calls', '100/session')]
    expect(limits.map(counterName)).toEqual(['calls/m', 'calls/session'])
    expect(limitPassed(limits, { 'calls/m': 2, 'calls/session': 99 })).toBeNull()
    expect(limitPassed(limits, { 'calls/m': 2, 'calls/session': 100 })?.most).toBe(100)
  })

  it('counts as exceeded if usage is unknown', () => {
    expect(limitPassed([limit('files', '5/h')], {})?.name).toBe('files')
    expect(limitPassed([limit('files', '5/h')], { 'files/h': Number.NaN })?.name).toBe('files')
    expect(limitPassed([limit('files', '5/h')], { files: 1 })).toBeNull()
  })
})
