import { type OpenedView, safeText } from '@countersign/core'
import { openedView } from '@countersign/testing/gate/opened-view'
import { describe, expect, it } from 'vitest'
import type { CallReceipt } from '../review/approval-source.ts'
import { batchOf, countByRisk, EMPTY_QUEUE, moveInQueue, stepQueue } from './reducer.ts'

function call(id: string, given: Parameters<typeof openedView>[0] = {}): OpenedView {
  const opened = openedView(given)
  return { ...opened, view: { ...opened.view, id, requestDigest: id.repeat(8) } }
}

function receipt(callId: string, given: Partial<CallReceipt> = {}): CallReceipt {
  return {
    callId,
    mark: callId.repeat(8),
    risk: 'medium',
    summary: safeText('Runs `x`'),
    outcome: 'approved',
    ended: null,
    edited: false,
    undoable: false,
    by: safeText('ana'),
    surface: null,
    reason: null,
    at: 0,
    contained: false,
    heldMs: 10,
    ...given,
  }
}

const [a, b, c] = [call('a'), call('b'), call('c')]
const three = stepQueue(EMPTY_QUEUE, { kind: 'held', calls: [a, b, c] })

describe('the queue', () => {
  it('selects the most urgent call first, and keeps it when others come before it', () => {
    expect(three.selected).toBe('a')
    expect(stepQueue(three, { kind: 'held', calls: [c, b, a] }).selected).toBe('a')
  })

  it('selects the call at the same position when the selected one ends', () => {
    const second = moveInQueue(three, 1)
    expect(second.selected).toBe('b')
    expect(stepQueue(second, { kind: 'held', calls: [a, c] }).selected).toBe('c')
    expect(stepQueue(moveInQueue(second, 1), { kind: 'held', calls: [a, b] }).selected).toBe('b')
    expect(stepQueue(three, { kind: 'held', calls: [] }).selected).toBe(null)
  })

  it('wraps around at both ends', () => {
    expect(moveInQueue(three, -1).selected).toBe('c')
    expect(moveInQueue(moveInQueue(three, -1), 1).selected).toBe('a')
    expect(moveInQueue(EMPTY_QUEUE, 1).selected).toBe(null)
  })

  it('keeps one receipt per call, the newest, and none of the last is lost (48)', () => {
    const told = [receipt('a'), receipt('b'), receipt('a', { ended: 'completed' })]
    const state = told.reduce((queue, one) => stepQueue(queue, { kind: 'receipt', receipt: one }), EMPTY_QUEUE)
    expect(state.receipts.map(({ callId, ended }) => [callId, ended])).toEqual([
      ['b', null],
      ['a', 'completed'],
    ])
  })

  it('counts by risk, highest first', () => {
    expect(countByRisk([a, call('d', { risk: 'critical' }), b])).toEqual([
      { level: 'critical', count: 1 },
      { level: 'medium', count: 2 },
    ])
  })
})

describe('deciding equal calls together', () => {
  const failed = [{ checker: 'secrets', status: 'fail', message: 'm', overridable: true }] as const

  it('includes calls that differ only in their arguments', () => {
    const others = [call('d', { risk: 'low' }), call('e', { tool: 'move' }), call('f', { agent: ['another'] })]
    expect(batchOf([a, ...others, b, call('g', { findings: failed })], a)).toEqual([a, b])
  })

  it('includes at most the maximum batch, with the selected call among them', () => {
    const many = Array.from({ length: 40 }, (_, at) => call(`n${at}`))
    const last = many.at(-1) ?? a
    const batch = batchOf(many, last)
    expect(batch).toHaveLength(25)
    expect(batch).toContain(last)
  })

  it.each([
    ['alone', [call('a')]],
    ['high', [call('a', { risk: 'high' }), call('b', { risk: 'high' })]],
    ['flagged by a check', [call('a', { findings: failed }), call('b'), call('c')]],
    ['manual', [call('a', { supervision: 'manual' }), call('b', { supervision: 'manual' })]],
  ])('excludes calls that are %s', (_, held) => {
    expect(batchOf(held, held[0] ?? a)).toEqual([])
  })
})
