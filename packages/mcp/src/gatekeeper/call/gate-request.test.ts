import { describe, expect, it } from 'vitest'
import { gatedWorld, sentParams } from '../gated-world.fixture.ts'

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

describe('the trace of a client', () => {
  const world = gatedWorld()

  it('is continued from `_meta.traceparent`, which the server gets unchanged', async () => {
    const _meta = { traceparent: PARENT, tracestate: 'vendor=1', baggage: 'a=b' }
    const fate = await world().call('get', { arguments: { about: 'traced' }, _meta })
    expect(sentParams(fate)).toMatchObject({ _meta })
    expect(world().telemetry.traces.at(-1)).toMatchObject({ parent: PARENT })
  })

  it.each([['00-nonsense'], [7], [null], [{}]])('is ignored if it is %j', async (traceparent) => {
    await world().call('get', { arguments: { about: 'untraced' }, _meta: { traceparent } })
    expect(world().telemetry.traces.at(-1)).toMatchObject({ parent: null })
  })
})
