import type { GrantScope, HeldCallView, WouldMatch } from '@countersign/core'
import { type ApprovalSource, type Approvals, NO_APPROVALS } from './approval-source.ts'
import { type ApprovalEvent, reduceApprovals } from './approvals-reducer.ts'
import type { BrowserKey } from './browser-key.ts'
import { liveStream } from './live-stream.ts'
import { askService } from './service-client.ts'
import { LostDecision, type PasskeySigner, submitDecision } from './submit-decision.ts'

/** How decisions are signed and labelled. */
export interface HttpSourceOptions {
  /** This browser's key; null if it is not enrolled, so that the passkey signs every decision. */
  readonly key: () => Promise<BrowserKey | null>
  /** Signs if policy requires a passkey or there is no key. Without it, such calls cannot be decided here. */
  readonly passkey?: PasskeySigner
  /** Recorded in the decision: `web`, or the name of your app. */
  readonly surface?: string
}

/** An `ApprovalSource` over HTTP. */
export interface HttpSource extends ApprovalSource {
  close(): void
}

/** Follows the service's event stream, shared by all tabs, and signs decisions with this browser's key. */
export function httpSource({ key, passkey, surface = 'web' }: HttpSourceOptions): HttpSource {
  const listeners = new Set<() => void>()
  let state: Approvals = NO_APPROVALS

  function apply(event: ApprovalEvent): void {
    const next = reduceApprovals(state, event)
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }

  const stream = liveStream({ current: () => state, apply })
  return {
    close: stream.close,
    current: () => state,
    subscribe(listener) {
      if (listeners.size === 0) stream.open()
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stream.close()
      }
    },
    async decide(view, decision) {
      if (state.link !== 'live')
        throw new Error('nothing was decided because this page is not live; wait until it reconnects')
      const by = { key, passkey, surface, at: Date.now() + state.aheadMs }
      const receipt = await submitDecision(view, decision, by).catch((error: unknown) => {
        // A new stream delivers the result.
        if (error instanceof LostDecision) stream.renew()
        throw error
      })
      if (receipt.state !== 'held') apply({ kind: 'closed', receipt, about: view.requestDigest })
      return receipt
    },
    wouldMatch: readMatches,
    async load({ id }) {
      apply({ kind: 'loaded', view: await readView(id) })
    },
  }
}

async function readView(id: string): Promise<HeldCallView> {
  const view = await askService<HeldCallView | null>(`/held/${encodeURIComponent(id)}`)
  if (view === null) throw new Error('the service returned an invalid response')
  return view
}

function readMatches(scope: GrantScope): Promise<WouldMatch> {
  return askService('/grants/would-match', { method: 'POST', body: { scope } })
}
