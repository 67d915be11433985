import { describe, expect, it } from 'vitest'
import { someCall, someCase, someUnit } from '../../../../../test/model/case.ts'
import type { ValueTest } from '../model/rule.ts'
import { compileArgs, MAX_REGEX_INPUT } from './arguments.ts'
import { NO, UNKNOWN, YES } from './three-valued-logic.ts'

const WIDE = { tightens: true, negated: false }
const NARROW = { tightens: false, negated: false }

function answer(test: ValueTest, value: unknown, reading = WIDE, name = 'x') {
  return compileArgs({ [name]: test }, reading)(someUnit(), someCase({ call: someCall({ args: { x: value } }) }))
}

describe('an argument condition', () => {
  it.each<[ValueTest, unknown, number]>([
    [{ equals: 'prod' }, 'prod', YES],
    [{ equals: 'prod' }, 'PROD', NO],
    [{ equals: 100 }, '100', NO],
    [{ equals: { a: 1, b: [2] } }, { b: [2], a: 1 }, YES],
    [{ equals: null }, null, YES],
    [{ in: [1, 'a'] }, 'a', YES],
    [{ in: [1, 'a'] }, 2, NO],
    [{ glob: '/srv/*' }, '/srv/a/b', YES],
    [{ glob: '1*' }, 100, YES],
    [{ glob: '*' }, null, NO],
    [{ glob: '*' }, { a: 1 }, UNKNOWN],
    [{ regex: 'sh$' }, 'bash', YES],
    [{ regex: '^sh' }, 'bash', NO],
    [{ regex: '(' }, 'bash', UNKNOWN],
    [{ regex: 'a' }, 'b'.repeat(MAX_REGEX_INPUT + 1), UNKNOWN],
    [{ above: 100 }, 101, YES],
    [{ above: 100 }, 100, NO],
    [{ above: 100 }, '1000000', YES],
    [{ above: 100 }, ' 1e6 ', YES],
    [{ below: 100 }, '99.5', YES],
    [{ above: 100 }, '', UNKNOWN],
    [{ above: 100 }, '1,000', UNKNOWN],
    [{ above: 100 }, '0x7fff', UNKNOWN],
    [{ above: 100 }, null, UNKNOWN],
    [{ above: 100, below: 200 }, 150, YES],
    [{ above: 100, below: 200 }, 250, NO],
  ])('%j on %j: %i', (test, value, expected) => {
    expect(answer(test, value)).toBe(expected)
  })

  it('matches a list by any element if that tightens, and only by all if it would loosen', () => {
    const list = ['/safe/a', '/etc/shadow']
    expect(answer({ glob: '/etc/*' }, list, WIDE)).toBe(YES)
    expect(answer({ glob: '/safe/*' }, list, NARROW)).toBe(NO)
    expect(answer({ glob: '/safe/*' }, ['/safe/a', '/safe/b'], NARROW)).toBe(YES)
    expect(answer({ glob: '*' }, [], NARROW)).toBe(NO)
    expect(answer({ equals: ['a', 'b'] }, ['a', 'b'], NARROW)).toBe(YES)
    expect(answer({ above: 5 }, [1, 'many'], WIDE)).toBe(UNKNOWN)
  })

  it('follows dotted names into objects and lists, by own properties only', () => {
    expect(answer({ equals: true }, { deep: { force: true } }, WIDE, 'x.deep.force')).toBe(YES)
    expect(answer({ equals: 1 }, [{ n: 2 }, { n: 1 }], WIDE, 'x.n')).toBe(YES)
    expect(answer({ equals: 1 }, [{ n: 1 }, {}], NARROW, 'x.n')).toBe(NO)
    expect(answer({ glob: '*' }, {}, WIDE, 'x.constructor.name')).toBe(NO)
    expect(answer({ glob: '*' }, 'text', WIDE, 'x.length')).toBe(NO)
    expect(answer({ glob: '*' }, 'text', WIDE, 'y')).toBe(NO)
  })

  it('finds an argument whose own name contains a dot', () => {
    const call = someCall({ args: { 'a.b': 'prod' } })
    expect(compileArgs({ 'a.b': { equals: 'prod' } }, WIDE)(someUnit(), someCase({ call }))).toBe(YES)
  })
})
