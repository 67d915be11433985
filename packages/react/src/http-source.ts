import type { GrantScope, HeldCallView, Receipt } from '@countersign/core'
import { type ApprovalSource, type Approvals, NO_APPROVALS, type Notice } from './approval-source.ts'
import { stepApprovals, type Told } from './approvals-step.ts'
import { API, askService, exchange } from './ask-service.ts'
import type { BrowserKey } from './browser-key.ts'
import { handIn, LostDecision, type PasskeySigner } from './hand-in.ts'
import type { HeldCall } from './held-call.ts'
import type { WouldMatch } from './matched.tsx'
import { type SilenceWatch, watchSilence } from './silence.ts'

/** After this long without the stream, `reconnecting` is called by its name: offline. */
const OFFLINE_AFTER_MS = 8_000

/** How decisions are signed. */
export interface HttpSourceOptions {
  /** This browser's key; null where it may not decide: then the passkey signs every decision. */
  readonly key: () => Promise<BrowserKey | null>
  /** Signs where policy demands a passkey, and where there is no key; without it such a call cannot be decided here. */
  readonly passkey?: PasskeySigner
  /** Named in the decision: `web`, or your app. */
  readonly surface?: string
}

/** A source that can be closed. */
export interface HttpSource extends ApprovalSource {
  close(): void
}

/** The service's own stream and decisions, signed by this browser's key. */
export function httpSource({ key, passkey, surface = 'web' }: HttpSourceOptions): HttpSource {
  const listeners = new Set<() => void>()
  let state: Approvals = NO_APPROVALS
  let stream: EventSource | undefined
  let offline: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let watch: SilenceWatch | undefined
  let seen = '' // the number of the last event: a stream of our own opening goes on from there

  function tell(told: Told): void {
    const next = stepApprovals(state, told)
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }

  function open(): void {
    stream?.close()
    const opened = new EventSource(`${API}/stream${seen === '' ? '' : `?last=${seen}`}`)
    stream = opened
    watch?.opening()
    const hear = (name: string, read: (data: never) => Told): void =>
      opened.addEventListener(name, (event) => {
        const { data, lastEventId } = event as MessageEvent
        watch?.heard()
        tell(read(JSON.parse(String(data)) as never))
        if (lastEventId !== '') seen = lastEventId
      })
    hear('snapshot', (data: { held: readonly HeldCall[]; now: number }) => {
      isLive()
      return { kind: 'snapshot', held: data.held, now: data.now, at: Date.now() }
    })
    hear('held', (view: HeldCall) => ({ kind: 'held', view }))
    hear('closed', (receipt: Receipt) => ({ kind: 'closed', receipt }))
    hear('notice', (notice: Notice) => ({ kind: 'notice', notice }))
    // The first one comes when everything that was missed is told: only then is what is shown what is held.
    hear('now', (data: { now: number }) => {
      isLive()
      return { kind: 'now', now: data.now, at: Date.now() }
    })
    hear('grants', () => ({ kind: 'changed' }))
    hear('policy', () => ({ kind: 'changed' }))
    opened.onerror = () => void isGone()
  }

  function isLive(): void {
    clearTimeout(offline)
    offline = undefined
    tell({ kind: 'link', link: 'live' })
  }

  function isReconnecting(): void {
    if (state.link === 'live' || state.link === 'connecting') tell({ kind: 'link', link: 'reconnecting' })
    offline ??= setTimeout(() => tell({ kind: 'link', link: 'offline' }), OFFLINE_AFTER_MS)
  }

  /** INVARIANT: what is shown is called live only while the service is heard. */
  function isSilent(): void {
    if (state.link === 'signed-out') return
    isReconnecting()
    open()
  }

  async function isGone(): Promise<void> {
    isReconnecting()
    if (stream?.readyState !== EventSource.CLOSED) return
    // The browser gave up: either nobody is there, or we are no longer known.
    const link = (await isSignedOut()) ? 'signed-out' : null
    if (link !== null) tell({ kind: 'link', link })
    clearTimeout(retry)
    if (link === null) retry = setTimeout(open, 1_500)
  }

  function whenOffline(): void {
    tell({ kind: 'link', link: 'offline' })
  }

  function close(): void {
    stream?.close()
    stream = undefined
    clearTimeout(offline)
    clearTimeout(retry)
    watch?.stop()
    watch = undefined
    removeEventListener('offline', whenOffline)
    removeEventListener('online', open)
  }

  return {
    close,
    current: () => state,
    subscribe(listener) {
      if (listeners.size === 0) {
        watch = watchSilence(isSilent)
        open()
        addEventListener('offline', whenOffline)
        addEventListener('online', open)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) close()
      }
    },
    async decide(view, decision) {
      if (state.link !== 'live') throw new Error('this page is not live: nothing was decided')
      const by = { key, passkey, surface, at: Date.now() + state.aheadMs }
      const receipt = await handIn(view, decision, by).catch((error: unknown) => {
        // What became of it stands in what a new stream tells.
        if (error instanceof LostDecision) isSilent()
        throw error
      })
      if (receipt.state !== 'held') tell({ kind: 'closed', receipt, about: view.requestDigest })
      return receipt
    },
    wouldMatch: readMatches,
    async load({ id }) {
      tell({ kind: 'whole', view: await readView(id) })
    },
  }
}

async function readView(id: string): Promise<HeldCallView> {
  const view = await askService<HeldCallView | null>(`/held/${encodeURIComponent(id)}`)
  if (view === null) throw new Error('the service answered something else than a call')
  return view
}

async function readMatches(scope: GrantScope): Promise<WouldMatch> {
  const answer = await fetch(`${API}/grants/would-match`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scope }),
  })
  if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
  return (await answer.json()) as WouldMatch
}

async function isSignedOut(): Promise<boolean> {
  try {
    const { status } = await exchange('/me', { isBounded: true }) // or no new stream would ever be tried
    return status === 401 || status === 403
  } catch {
    return false
  }
}
