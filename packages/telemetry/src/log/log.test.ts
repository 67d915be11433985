import type { Telemetry } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { droppedLine, type LogFormat, logged } from './log.ts'

const AT = Date.UTC(2026, 0, 31, 8)
const CALL = {
  callId: 'c1',
  tool: 'jot',
  server: null,
  kind: 'write',
  risk: 'low',
  supervision: 'confirm',
  rule: 'policy.yaml#1',
} as const

function lines(format: LogFormat, work: (telemetry: Telemetry) => void): readonly string[] {
  const found: string[] = []
  work(
    logged(
      format,
      (line) => void found.push(line),
      () => AT,
    ),
  )
  return found
}

function rejected(telemetry: Telemetry, tool: string = CALL.tool): void {
  const trace = telemetry.begin('run')
  trace?.enter('rate')
  trace?.judged({ ...CALL, tool })
  trace?.enter('hold')
  trace?.end({ callId: 'c1', result: 'rejected', code: 'CS_REJECTED' })
}

describe('the log', () => {
  it('has one JSON line when a call is held, and one when it is answered', () => {
    const [held, answered, ...more] = lines('json', rejected).map((line) => JSON.parse(line))
    const facts = { tool: 'jot', server: null, risk: 'low', supervision: 'confirm', rule: 'policy.yaml#1' }
    const both = {
      level: 'info',
      time: '2026-01-31T08:00:00.000Z',
      call: 'c1',
      operation: 'run',
      step: 'hold',
      ...facts,
    }
    expect(held).toEqual({ ...both, event: 'held', ms: expect.any(Number) })
    expect(answered).toEqual({
      ...both,
      event: 'answered',
      outcome: 'rejected',
      code: 'CS_REJECTED',
      ms: expect.any(Number),
    })
    expect(more).toEqual([])
  })

  it('is readable as text', () => {
    const [held] = lines('text', rejected)
    expect(held).toMatch(
      /^2026-01-31T08:00:00\.000Z INFO held call=c1 operation=run step=hold tool=jot risk=low .*ms=[\d.]+$/,
    )
  })

  it.each([
    ['completed', 'info'],
    ['denied', 'info'],
    ['failed', 'warn'],
    ['refused', 'warn'],
    ['unknown', 'error'],
  ])('marks %s as %s', (result, level) => {
    const [line = ''] = lines('json', (log) => log.begin('run')?.end({ callId: null, result, code: null }))
    expect(JSON.parse(line)).toMatchObject({ level, outcome: result })
  })

  it('reports problems, and how many lines are missing', () => {
    const [error = '', lost = ''] = lines('json', (log) => {
      log.problem({ kind: 'store-error', operation: 'commit', code: 'CS_STORE_WRITE' })
      log.problem({ kind: 'owner-lost', callId: 'c1', outcome: 'unknown' })
    })
    expect(JSON.parse(error)).toMatchObject({ level: 'error', event: 'store-error', operation: 'commit' })
    expect(JSON.parse(lost)).toMatchObject({ level: 'warn', event: 'owner-lost', call: 'c1', outcome: 'unknown' })
    expect(JSON.parse(droppedLine('json', 3, AT))).toMatchObject({ event: 'dropped', lines: 3 })
    expect(droppedLine('text', 3, AT)).toBe('2026-01-31T08:00:00.000Z WARN dropped lines=3')
  })

  it('stays one line per event and moves no terminal, whatever a tool is called (A12)', () => {
    const tool = 'x\n{"level":"info"}\u001b[2J\u202e\u0085 y=1'
    for (const format of ['json', 'text'] as const)
      for (const line of lines(format, (log) => rejected(log, tool))) {
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
        expect(line).toContain('⟦ESC⟧')
      }
  })
})
