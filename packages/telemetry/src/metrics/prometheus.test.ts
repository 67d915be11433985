import { parsePrometheus, sampleOf } from '@countersign/testing/prometheus'
import { describe, expect, it } from 'vitest'
import { measured } from './measured.ts'
import { createPrometheusMeter } from './prometheus.ts'

const CALL = {
  callId: 'c1',
  tool: 'jot',
  server: null,
  kind: 'write',
  risk: 'low',
  supervision: 'confirm',
  rule: 'r1',
} as const

/** A meter on a clock that the test moves. */
function metered() {
  const meter = createPrometheusMeter()
  let now = 0
  const telemetry = measured(meter, () => now)
  const pass = (seconds: number): void => {
    now += seconds
  }
  return { meter, telemetry, pass }
}

describe('Prometheus metrics', () => {
  it('are valid before the first call', () => {
    const samples = parsePrometheus(createPrometheusMeter().text())
    expect(samples).toEqual([{ name: 'countersign_waiting_calls', labels: {}, value: 0 }])
  })

  it('count a call that a person approved, and how long that took', () => {
    const { meter, telemetry, pass } = metered()
    const trace = telemetry.begin('run')
    trace?.enter('rate')
    pass(0.002)
    trace?.judged(CALL)
    trace?.enter('hold')
    expect(sampleOf(meter.text(), 'countersign_waiting_calls')).toBe(1)
    pass(42)
    trace?.enter('decide')
    trace?.enter('run')
    pass(3)
    trace?.end({ callId: 'c1', result: 'completed', code: null })
    const text = meter.text()
    expect(sampleOf(text, 'countersign_waiting_calls')).toBe(0)
    const labels = { outcome: 'completed', kind: 'write', supervision: 'confirm' }
    expect(sampleOf(text, 'countersign_calls_total', labels)).toBe(1)
    expect(sampleOf(text, 'countersign_decision_seconds_sum')).toBe(42)
    expect(sampleOf(text, 'countersign_decision_seconds_bucket', { le: '30' })).toBe(0)
    expect(sampleOf(text, 'countersign_decision_seconds_bucket', { le: '60' })).toBe(1)
    expect(sampleOf(text, 'countersign_step_seconds_sum', { step: 'run' })).toBe(3)
    expect(sampleOf(text, 'countersign_step_seconds_bucket', { step: 'rate', le: '0.0025' })).toBe(1)
    expect(sampleOf(text, 'countersign_step_seconds_count', { step: 'hold' })).toBeUndefined()
  })

  it('count no decision of a call that expired, and no outcome of one that goes on', () => {
    const { meter, telemetry } = metered()
    const expired = telemetry.begin('run')
    expired?.enter('hold')
    expired?.end({ callId: 'c1', result: 'expired', code: 'CS_EXPIRED' })
    telemetry.begin('ask')?.end({ callId: 'c2', result: 'permitted', code: null })
    const text = meter.text()
    expect(sampleOf(text, 'countersign_decision_seconds_count')).toBeUndefined()
    expect(sampleOf(text, 'countersign_calls_total')).toBe(1)
    expect(sampleOf(text, 'countersign_waiting_calls')).toBe(0)
  })

  it('keep to their series, whatever names an agent chooses', () => {
    const { meter, telemetry } = metered()
    for (let at = 0; at < 5_000; at += 1) {
      const name = `x"}\n${at}`
      const trace = telemetry.begin('run')
      trace?.judged({ ...CALL, tool: name, server: name, rule: name, kind: name, supervision: name })
      trace?.end({ callId: name, result: 'completed', code: name })
      telemetry.problem({ kind: 'store-error', operation: name, code: name })
      telemetry.problem({ kind: 'owner-lost', callId: name, outcome: name })
    }
    const samples = parsePrometheus(meter.text())
    expect(samples.filter(({ value }) => value === 5_000)).toEqual([
      {
        name: 'countersign_calls_total',
        labels: { outcome: 'completed', kind: 'other', supervision: 'other' },
        value: 5_000,
      },
      { name: 'countersign_store_errors_total', labels: { operation: 'other', code: 'other' }, value: 5_000 },
      { name: 'countersign_lost_owners_total', labels: { outcome: 'other' }, value: 5_000 },
    ])
    expect(samples).toHaveLength(4)
  })

  it('count problems around calls, and decisions', () => {
    const { meter, telemetry } = metered()
    telemetry.problem({ kind: 'store-error', operation: 'commit', code: 'CS_STORE_WRITE' })
    telemetry.problem({ kind: 'owner-lost', callId: 'c1', outcome: 'unknown' })
    const trace = telemetry.begin('decide')
    trace?.enter('decide')
    trace?.end({ callId: 'c1', result: 'rejected', code: null })
    const text = meter.text([{ prometheus: 'countersign_ready', help: 'Ready.', value: 1 }])
    expect(sampleOf(text, 'countersign_store_errors_total', { operation: 'commit', code: 'CS_STORE_WRITE' })).toBe(1)
    expect(sampleOf(text, 'countersign_lost_owners_total', { outcome: 'unknown' })).toBe(1)
    expect(sampleOf(text, 'countersign_decisions_total', { result: 'rejected' })).toBe(1)
    expect(sampleOf(text, 'countersign_ready')).toBe(1)
    expect(sampleOf(text, 'countersign_calls_total')).toBeUndefined()
  })
})
