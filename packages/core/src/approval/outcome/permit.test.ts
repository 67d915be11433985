import { describe, expect, it } from 'vitest'
import type { FrozenCall } from '../../call/call.ts'
import { mintPermit, type Permit, settlePermit, spendPermit, unsettlePermit } from './permit.ts'

const CALL = { id: 'c1', digest: 'd1', args: Object.freeze({ city: 'Graz' }) } as unknown as FrozenCall
const OTHER = { ...CALL, id: 'c2' } as FrozenCall

describe('a permit', () => {
  it('can be spent once, for its own call, and settled once', () => {
    const permit = mintPermit(CALL, 'ana')
    expect(() => settlePermit(permit)).toThrow('never used')
    expect(() => spendPermit(permit, OTHER)).toThrow('another call')
    spendPermit(permit, CALL)
    expect(() => spendPermit(permit, CALL)).toThrow('already used')
    settlePermit(permit)
    expect(() => settlePermit(permit)).toThrow('already recorded')
    unsettlePermit(permit)
    expect(() => settlePermit(permit)).not.toThrow()
  })

  it.each<[string, (real: Permit) => unknown]>([
    ['a copy of its fields', (real) => ({ ...real })],
    ['an object that inherits from it', (real) => Object.create(real)],
    ['an object with its prototype', (real) => Object.assign(Object.create(Object.getPrototypeOf(real)), { ...real })],
    ['a proxy around it', (real) => new Proxy(real, {})],
    ['a structured clone', (real) => structuredClone({ ...real })],
    [
      'an instance from its constructor',
      (real) => new (real.constructor as new (call: unknown, by: string) => object)(CALL, 'me'),
    ],
    ['undefined', () => null],
    ['a string', () => 'permit'],
  ])('is not accepted as %s', (_, forge) => {
    const forged = forge(mintPermit(CALL, 'ana')) as Permit
    expect(() => spendPermit(forged, CALL)).toThrow('not issued by this gate')
    expect(() => settlePermit(forged)).toThrow('not issued by this gate')
  })

  it('cannot be changed, and does not expose the class that creates it', () => {
    const permit = mintPermit(CALL, null)
    expect(Object.isFrozen(permit)).toBe(true)
    expect(permit.constructor).toBe(Object)
    expect(Object.isFrozen(Object.getPrototypeOf(permit))).toBe(true)
    expect(JSON.parse(JSON.stringify(permit))).toEqual({
      kind: 'permit',
      callId: 'c1',
      callDigest: 'd1',
      args: { city: 'Graz' },
      approvedBy: null,
      contain: null,
      paths: [],
      reads: '',
    })
  })
})
