import type { HeldCallView, Receipt } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { NO_APPROVALS } from './approval-source.ts'
import { stepApprovals, type Told } from './approvals-step.ts'

const view = (id: string, expiresAt: number): HeldCallView =>
  ({ id, request: JSON.stringify({ expiresAt }), requestDigest: `${id}-${expiresAt}` }) as HeldCallView
const receipt = (held: string, state: string, by: string | null = null): Receipt => ({
  held,
  accepted: true,
  state,
  by,
  at: 1,
  message: state,
})
const after = (...told: readonly Told[]) => told.reduce(stepApprovals, NO_APPROVALS)

describe('what a page shows of a stream', () => {
  it('stands by deadline, whatever the order of arrival', () => {
    const { held } = after({ kind: 'held', view: view('late', 9) }, { kind: 'held', view: view('soon', 2) })
    expect(held.map(({ id }) => id)).toEqual(['soon', 'late'])
  })

  it('replaces a call that was asked anew', () => {
    const { held } = after({ kind: 'held', view: view('a', 5) }, { kind: 'held', view: view('a', 7) })
    expect(held.map(({ requestDigest }) => requestDigest)).toEqual(['a-7'])
  })

  it('turns a closed call into a receipt', () => {
    const { held, closed } = after(
      { kind: 'held', view: view('a', 5) },
      { kind: 'closed', receipt: receipt('a', 'approved', 'ana') },
    )
    expect(held).toEqual([])
    expect(closed).toMatchObject([{ view: { id: 'a' }, receipt: { state: 'approved', by: 'ana' } }])
  })

  it('keeps the name of who decided when a later word has none', () => {
    const { closed } = after(
      { kind: 'held', view: view('a', 5) },
      { kind: 'closed', receipt: receipt('a', 'approved', 'ana') },
      { kind: 'closed', receipt: receipt('a', 'completed') },
    )
    expect(closed[0]?.receipt.by).toBe('ana')
  })

  it('keeps the same view over a snapshot, and leaves a receipt for what ended meanwhile', () => {
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
})
