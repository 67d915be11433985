import { describe, expect, it } from 'vitest'
import { circumstancesAt, someCall, someCase, someUnit } from '../../../../../test/model/case.ts'
import type { Conditions } from '../model/rule.ts'
import { compileConditions, compileRule } from './conditions.ts'
import { NO, UNKNOWN, YES } from './three-valued-logic.ts'

const TIGHTENS = { tightens: true, negated: false }
const LOOSENS = { tightens: false, negated: false }
const lost = { given: 'x', real: null, use: 'write' } as const

const OPEN: Conditions = { path: { inside: ['/etc'] } }
const TRUE: Conditions = { tool: ['write_file'] }
const FALSE: Conditions = { tool: ['read_file'] }

describe('combined conditions', () => {
  it.each<[Conditions, number]>([
    [{}, YES],
    [{ ...TRUE, ...OPEN }, UNKNOWN],
    [{ ...FALSE, ...OPEN }, NO],
    [{ any: [FALSE, OPEN] }, UNKNOWN],
    [{ any: [TRUE, OPEN] }, YES],
    [{ any: [FALSE, FALSE] }, NO],
    [{ all: [TRUE, OPEN] }, UNKNOWN],
    [{ all: [FALSE, OPEN] }, NO],
    [{ not: OPEN }, UNKNOWN],
    [{ not: FALSE }, YES],
    [{ not: { not: TRUE } }, YES],
  ])('%j: %i', (when, expected) => {
    expect(compileConditions(when, TIGHTENS)(someUnit({ path: lost }), someCase())).toBe(expected)
  })

  it.each<[Conditions, Conditions, number]>([
    [TRUE, FALSE, YES],
    [TRUE, TRUE, NO],
    [TRUE, OPEN, UNKNOWN],
    [OPEN, FALSE, UNKNOWN],
    [OPEN, TRUE, NO],
    [FALSE, OPEN, NO],
  ])('%j unless %j: %i', (when, unless, expected) => {
    expect(compileRule(when, unless, LOOSENS)(someUnit({ path: lost }), someCase())).toBe(expected)
  })
})

describe('kind', () => {
  const redirection = someUnit({ path: { given: 'f', real: '/srv/app/f', use: 'write' } })
  const shell = someCase({ call: someCall({ descriptor: { kind: 'execute', source: 'known' } }) })
  const write: Conditions = { kind: ['write'] }

  it('treats a shell redirection as a write if that tightens, on either side of a `not`', () => {
    expect(compileConditions(write, TIGHTENS)(redirection, shell)).toBe(YES)
    expect(compileConditions(write, LOOSENS)(redirection, shell)).toBe(NO)
    expect(compileConditions({ not: write }, LOOSENS)(redirection, shell)).toBe(NO)
    expect(compileConditions({ not: write }, TIGHTENS)(redirection, shell)).toBe(YES)
  })

  it('is undecided for a command that was not understood', () => {
    expect(compileConditions(write, TIGHTENS)(someUnit({ opaque: true }), shell)).toBe(UNKNOWN)
  })
})

describe('an agent’s name', () => {
  const child = someCase({ call: someCall({ agent: { name: 'helper', parents: ['main'] } }) })
  it('can tighten, for its sub-agents too, and never loosen', () => {
    expect(compileConditions({ agent: ['main'] }, TIGHTENS)(someUnit(), child)).toBe(YES)
    expect(compileConditions({ agent: ['HELP*'] }, LOOSENS)(someUnit(), child)).toBe(UNKNOWN)
    expect(compileConditions({ agent: ['main'] }, LOOSENS)(someUnit(), child)).toBe(NO)
    expect(compileConditions({ not: { agent: ['evil'] } }, LOOSENS)(someUnit(), child)).toBe(UNKNOWN)
    expect(compileConditions({ not: { agent: ['helper'] } }, TIGHTENS)(someUnit(), child)).toBe(UNKNOWN)
  })
})

describe('a URL', () => {
  const fetching = (url: string, args = {}) =>
    someCase({ call: someCall({ args, descriptor: { kind: 'fetch', source: 'known', url } }) })
  it.each<[NonNullable<Conditions['url']>, string, object, number]>([
    [{ host: ['*.example.com'] }, 'https://API.example.com:8443/x', {}, YES],
    [{ host: ['api.example.com'] }, 'https://api.example.com./x', {}, YES],
    [{ host: ['api.example.com'] }, 'https://api.example.com@evil.test/', {}, NO],
    [{ host: ['example.com'] }, 'https://notexample.com/', {}, NO],
    [{ scheme: ['https'] }, 'http://x.test', {}, NO],
    [{ host: ['x.test'] }, 'not a url', {}, UNKNOWN],
    [{ method: ['POST'] }, 'https://x.test', { method: 'post' }, YES],
    [{ method: ['GET'] }, 'https://x.test', {}, YES],
    [{ method: ['GET'] }, 'https://x.test', { body: 'x' }, UNKNOWN],
    [{ method: ['GET'] }, 'https://x.test', { method: 7 }, UNKNOWN],
  ])('%j on %s with %j: %i', (url, address, args, expected) => {
    expect(compileConditions({ url }, TIGHTENS)(someUnit(), fetching(address, args))).toBe(expected)
  })

  it('does not match a call without one', () => {
    expect(compileConditions({ url: { scheme: ['https'] } }, TIGHTENS)(someUnit(), someCase())).toBe(NO)
  })
})

describe('hours', () => {
  const at = (iso: string) => someCase({ circumstances: circumstancesAt({ now: Date.parse(iso) }) })
  it.each<[NonNullable<Conditions['hours']>, string, number]>([
    [{ inside: '08:00-20:00', zone: 'UTC' }, '2026-01-05T08:00:00Z', YES],
    [{ inside: '08:00-20:00', zone: 'UTC' }, '2026-01-05T20:00:00Z', NO],
    [{ outside: '08:00-20:00', zone: 'Europe/Vienna' }, '2026-01-05T19:30:00Z', YES],
    [{ outside: '08:00-20:00', zone: 'Europe/Vienna' }, '2026-07-05T18:30:00Z', YES],
    [{ outside: '08:00-20:00' }, '2026-01-05T19:30:00Z', NO],
    [{ inside: '22:00-06:00', zone: 'UTC' }, '2026-01-05T23:00:00Z', YES],
    [{ inside: '22:00-06:00', zone: 'UTC' }, '2026-01-05T05:59:00Z', YES],
    [{ inside: '22:00-06:00', zone: 'UTC' }, '2026-01-05T12:00:00Z', NO],
    [{ days: ['sat', 'sun'], zone: 'Asia/Tokyo' }, '2026-01-09T16:00:00Z', YES],
    [{ inside: 'noon', zone: 'UTC' }, '2026-01-05T12:00:00Z', UNKNOWN],
    [{ days: ['mon'], zone: 'Nowhere/None' }, '2026-01-05T12:00:00Z', UNKNOWN],
  ])('%j at %s: %i', (hours, iso, expected) => {
    expect(compileConditions({ hours }, LOOSENS)(someUnit(), at(iso))).toBe(expected)
  })
})

describe('annotations and risk', () => {
  it('treat a missing hint as the worst case', () => {
    const test = (annotations: Conditions['annotations'], hints: unknown) =>
      compileConditions({ annotations: annotations ?? {} }, LOOSENS)(
        someUnit(),
        someCase({ call: someCall({ annotations: hints }) }),
      )
    expect(test({ destructiveHint: true, openWorldHint: true, readOnlyHint: false, idempotentHint: false }, null)).toBe(
      YES,
    )
    expect(test({ readOnlyHint: true }, null)).toBe(NO)
    expect(test({ readOnlyHint: true }, { readOnlyHint: true })).toBe(YES)
    expect(test({ constructor: true }, null)).toBe(UNKNOWN)
  })

  it('compare the level of the judged part', () => {
    const test = compileConditions({ risk: { at_least: 'medium', at_most: 'high' } }, LOOSENS)
    const levels = ['none', 'low', 'medium', 'high', 'critical'] as const
    expect(levels.map((level) => test(someUnit({ level }), someCase()))).toEqual([NO, NO, YES, YES, NO])
  })
})
