import { describe, expect, it } from 'vitest'
import { allTelemetry, type CallTrace, quietTelemetry, readTraceparent, type Telemetry } from './telemetry.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('a traceparent', () => {
  it.each([
    ['of version 00', `00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
    ['that is not sampled', `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
    ['with unknown flags', `00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-01`],
    ['of a later version', `cc-${TRACE}-${SPAN}-01-what-comes-later`, `00-${TRACE}-${SPAN}-01`],
  ])('%s is read', (_, given, read) => {
    expect(readTraceparent(given)).toBe(read)
  })

  it.each([
    ['no text', 5],
    ['an empty text', ''],
    ['in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['with a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['with a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['of the forbidden version', `ff-${TRACE}-${SPAN}-01`],
    ['of version 00 with more behind it', `00-${TRACE}-${SPAN}-01-more`],
    ['with a line break', `00-${TRACE}-${SPAN}-01\n`],
    ['with text in front', ` 00-${TRACE}-${SPAN}-01`],
    ['that is too long', `cc-${TRACE}-${SPAN}-01-${'a'.repeat(300)}`],
  ])('%s is ignored', (_, given) => {
    expect(readTraceparent(given)).toBeUndefined()
  })
})

const fail = (): never => {
  throw new Error('broken')
}
const BROKEN: CallTrace = { adopt: fail, enter: fail, judged: fail, end: fail }
const END = { callId: 'c1', result: 'completed', code: null }

describe('telemetry', () => {
  it('cannot throw into the gate', () => {
    const quiet = quietTelemetry({ begin: () => BROKEN, problem: fail })
    const trace = quiet.begin('run')
    expect(() => {
      trace?.adopt(`00-${TRACE}-${SPAN}-01`)
      trace?.enter('rate')
      trace?.end(END)
      quiet.problem({ kind: 'store-error', operation: 'commit', code: 'CS_STORE_WRITE' })
    }).not.toThrow()
    expect(quietTelemetry({ begin: fail, problem: fail }).begin('run')).toBeUndefined()
  })

  it('that rejects later is not an unhandled rejection', async () => {
    const late = (async () => fail()) as unknown as () => void
    const quiet = quietTelemetry({ begin: () => ({ ...BROKEN, enter: late }), problem: late })
    quiet.begin('run')?.enter('rate')
    quiet.problem({ kind: 'owner-lost', callId: 'c1', outcome: 'unknown' })
    await new Promise((resolve) => setImmediate(resolve))
  })

  it('with a broken part reaches the others', () => {
    const told: string[] = []
    const good: Telemetry = {
      begin: () => ({
        adopt() {},
        enter: (step) => void told.push(step),
        judged() {},
        end: ({ result }) => void told.push(result),
      }),
      problem: ({ kind }) => void told.push(kind),
    }
    const all = allTelemetry([{ begin: () => BROKEN, problem: fail }, { begin: fail, problem: fail }, good])
    const trace = all.begin('ask')
    trace?.enter('judge')
    trace?.end(END)
    all.problem({ kind: 'store-error', operation: 'call', code: 'CS_STORE_READ' })
    expect(told).toEqual(['judge', 'completed', 'store-error'])
  })
})
