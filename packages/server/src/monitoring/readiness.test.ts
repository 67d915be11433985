import type { Committed } from '@countersign/core'
import { settled, simulatedClock } from '@countersign/testing/simulated-clock'
import { describe, expect, it } from 'vitest'
import { createReadiness } from './readiness.ts'

type Parts = Parameters<typeof createReadiness>[0]

const never = new Promise<never>(() => {})
const fail = (): never => {
  throw new Error('broken')
}

function parts() {
  const clock = simulatedClock()
  let writes = 0
  const store = {
    commit: async (): Promise<Committed> => {
      writes += 1
      return { kind: 'committed', size: 0 }
    },
  }
  const gate = { policyProblems: async () => [] }
  const ready: Parts = { gate, ports: { clock, signer: { sign: () => 'x' }, store } as unknown as Parts['ports'] }
  return { clock, ready, writes: () => writes }
}

describe('readiness', () => {
  it('tries the store once a second, however often it is asked', async () => {
    const { clock, ready, writes } = parts()
    const ask = createReadiness(ready)
    for (let at = 0; at < 100; at += 1) expect(await ask()).toBe('ok')
    expect(writes()).toBe(1)
    await clock.advance(1_000)
    await ask()
    expect(writes()).toBe(2)
  })

  it.each([
    ['a store that fails', 'store', { store: { commit: async () => fail() } }],
    [
      'a store that has moved on',
      'store',
      { store: { commit: async () => ({ kind: 'conflict', what: 'call-moved' }) } },
    ],
    ['a clock that is far off', 'clock', { storeClock: { difference: () => ({ kind: 'too-far' }) } }],
    ['a key that does not sign', 'signer', { signer: { sign: fail } }],
  ])('names %s', async (_, missing, broken) => {
    const { ready } = parts()
    expect(
      await createReadiness({ ...ready, ports: { ...ready.ports, ...broken } as unknown as Parts['ports'] })(),
    ).toBe(missing)
  })

  it('does not wait for a store or a policy folder that hangs', async () => {
    const { clock, ready } = parts()
    const store = { ...ready, ports: { ...ready.ports, store: { commit: () => never } } as unknown as Parts['ports'] }
    const policy = { ...ready, gate: { policyProblems: () => never } }
    for (const [hanging, missing] of [
      [store, 'store'],
      [policy, 'policy'],
    ] as const) {
      const asked = createReadiness(hanging)()
      await settled()
      await clock.advance(2_000)
      expect(await asked).toBe(missing)
    }
  })
})
