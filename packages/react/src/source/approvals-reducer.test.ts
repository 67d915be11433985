import type { HeldCallView, HeldSummary, Receipt } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { isFull } from '../call/held-call.ts'
import { NO_APPROVALS } from './approval-source.ts'
import { type ApprovalEvent, reduceApprovals } from './approvals-reducer.ts'

const view = (id: string, expiresAt: number): HeldCallView =>
  ({ id, request: JSON.stringify({ expiresAt }), requestDigest: `${id}-${expiresAt}` }) as HeldCallView
const short = (id: string, expiresAt: number): HeldSummary =>
  ({ id, expiresAt, requestDigest: `${id}-${expiresAt}`, view: null }) as HeldSummary
const receipt = (held: string, state: string, by: string | null = null): Receipt => ({
  held,
  accepted: true,
  state,
  by,
  at: 1,
  message: state,
})
const after = (...events: readonly ApprovalEvent[]) => events.reduce(reduceApprovals, NO_APPROVALS)

describe('the state built from a stream', () => {
  it('orders calls by deadline', () => {
    const { held } = after({ kind: 'held', view: view('late', 9) }, { kind: 'held', view: view('soon', 2) })
    expect(held.map(({ id }) => id)).toEqual(['soon', 'late'])
  })

  it('replaces a call that has a new request', () => {
    const { held } = after({ kind: 'held', view: view('a', 5) }, { kind: 'held', view: view('a', 7) })
    expect(held.map(({ requestDigest }) => requestDigest)).toEqual(['a-7'])
  })

  it('keeps a new request when the receipt of the previous one arrives', () => {
    const answer = { kind: 'closed', receipt: receipt('a', 'approved', 'ana'), about: 'a-5' } as const
    const asked = [view('a', 5), view('a', 7)].map((one) => ({ kind: 'held', view: one }) as const)
    for (const order of [
      [asked[0], answer, asked[1]],
      [asked[0], asked[1], answer],
    ]) {
      const { held, closed } = after(...order.filter((told) => told !== undefined))
      expect(held.map(({ requestDigest }) => requestDigest)).toEqual(['a-7'])
      expect(closed).toEqual([])
    }
  })

  it('turns a closed call into a receipt', () => {
    const { held, closed } = after(
      { kind: 'held', view: view('a', 5) },
      { kind: 'closed', receipt: receipt('a', 'approved', 'ana') },
    )
    expect(held).toEqual([])
    expect(closed).toMatchObject([{ view: { id: 'a' }, receipt: { state: 'approved', by: 'ana' } }])
  })

  it('keeps the outcome when the decision arrives after it', () => {
    const end: Receipt = { ...receipt('a', 'completed', 'ana'), accepted: false }
    for (const states of [
      [receipt('a', 'approved', 'ana'), end],
      [end, receipt('a', 'approved', 'ana')],
    ]) {
      const told = states.map((one) => ({ kind: 'closed', receipt: one }) as const)
      expect(after({ kind: 'held', view: view('a', 5) }, ...told).closed[0]?.receipt.state).toBe('completed')
    }
  })

  it('keeps the approver’s name when a later receipt has none', () => {
    const { closed } = after(
      { kind: 'held', view: view('a', 5) },
      { kind: 'closed', receipt: receipt('a', 'approved', 'ana') },
      { kind: 'closed', receipt: receipt('a', 'completed') },
    )
    expect(closed[0]?.receipt.by).toBe('ana')
  })

  it('keeps view objects across a snapshot and adds receipts for missing calls', () => {
    const kept = view('a', 5)
    const { held, closed, aheadMs } = after(
      { kind: 'held', view: kept },
      { kind: 'held', view: view('b', 6) },
      { kind: 'snapshot', held: [view('a', 5)], now: 1_500, at: 1_000 },
    )
    expect(held[0]).toBe(kept)
    expect(closed.map(({ view: { id } }) => id)).toEqual(['b'])
    expect(aheadMs).toBe(500)
  })

  it('orders summaries by deadline and keeps full views', () => {
    const { held, closed } = after(
      { kind: 'held', view: view('known', 5) },
      { kind: 'held', view: view('anew', 5) },
      { kind: 'snapshot', held: [short('new', 7), short('known', 5), short('anew', 6)], now: 1, at: 1 },
      { kind: 'held', view: short('known', 5) },
    )
    expect(held.map((one) => [one.requestDigest, isFull(one)])).toEqual([
      ['known-5', true],
      ['anew-6', false],
      ['new-7', false],
    ])
    expect(closed).toEqual([])
  })

  it('replaces a summary by its full view unless the call closed or changed (L6)', () => {
    const shown = (...events: readonly ApprovalEvent[]) =>
      after(...events).held.map((one) => [one.requestDigest, isFull(one)])
    const read = { kind: 'loaded', view: view('a', 5) } as const
    expect(shown({ kind: 'held', view: short('a', 5) }, read)).toEqual([['a-5', true]])
    expect(shown({ kind: 'held', view: short('a', 6) }, read)).toEqual([['a-6', false]])
    expect(shown(read)).toEqual([])
  })
})
