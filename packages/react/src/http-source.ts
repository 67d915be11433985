import { type Decision, decisionMessage, type HeldCallView, type Receipt } from '@countersign/core'
import { type ApprovalSource, type Approvals, NO_APPROVALS, type Notice } from './approval-source.ts'
import { stepApprovals, type Told } from './approvals-step.ts'
import type { BrowserKey } from './browser-key.ts'
import { openHeld } from './open-held.ts'
import { sha256 } from './sha256.ts'

/** After this long without the stream, `reconnecting` is called by its name: offline. */
const OFFLINE_AFTER_MS = 8_000

/** How to reach a service. */
export interface HttpSourceOptions {
  /** Where the service is; empty for the page's own origin. */
  readonly baseUrl?: string
  readonly key: () => Promise<BrowserKey>
  /** Signs where policy demands a passkey; without it such a call cannot be approved here. */
  readonly passkey?: PasskeySigner
  /** Named in the decision: `web`, or your app. */
  readonly surface?: string
}

/**
 * Signs one decision with a passkey. `messageFor` gives the SHA-256 (hex) that an approver's passkey must answer as its
 * challenge; the signature is the JSON of the assertion.
 */
export type PasskeySigner = (
  messageFor: (approver: string) => string,
) => Promise<{ readonly approver: string; readonly signature: string }>

/** A source that can be closed. */
export interface HttpSource extends ApprovalSource {
  close(): void
}

/** The service's own stream and decisions, signed by this browser's key. */
export function httpSource({ baseUrl = '', key, passkey, surface = 'web' }: HttpSourceOptions): HttpSource {
  const listeners = new Set<() => void>()
  let state: Approvals = NO_APPROVALS
  let stream: EventSource | undefined
  let offline: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const api = `${baseUrl}/api/v1`

  function tell(told: Told): void {
    const next = stepApprovals(state, told)
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }

  function open(): void {
    stream?.close()
    const opened = new EventSource(`${api}/stream`, { withCredentials: true })
    stream = opened
    const hear = (name: string, read: (data: never) => Told): void =>
      opened.addEventListener(name, (event) => tell(read(JSON.parse(String((event as MessageEvent).data)) as never)))
    hear('snapshot', (data: { held: readonly HeldCallView[]; now: number }) => {
      isLive()
      return { kind: 'snapshot', held: data.held, now: data.now, at: Date.now() }
    })
    hear('held', (data: HeldCallView | { view: HeldCallView }) => ({
      kind: 'held',
      view: 'view' in data ? data.view : data,
    }))
    hear('closed', (receipt: Receipt) => ({ kind: 'closed', receipt }))
    hear('notice', (notice: Notice) => ({ kind: 'notice', notice }))
    hear('now', (data: { now: number }) => ({ kind: 'now', now: data.now, at: Date.now() }))
    hear('grants', () => ({ kind: 'changed' }))
    hear('policy', () => ({ kind: 'changed' }))
    opened.onopen = isLive
    opened.onerror = () => void isGone()
  }

  function isLive(): void {
    clearTimeout(offline)
    offline = undefined
    tell({ kind: 'link', link: 'live' })
  }

  async function isGone(): Promise<void> {
    if (state.link === 'live' || state.link === 'connecting') tell({ kind: 'link', link: 'reconnecting' })
    offline ??= setTimeout(() => tell({ kind: 'link', link: 'offline' }), OFFLINE_AFTER_MS)
    if (stream?.readyState !== EventSource.CLOSED) return
    // The browser gave up: either nobody is there, or we are no longer known.
    const link = (await isSignedOut(api)) ? 'signed-out' : null
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
    removeEventListener('offline', whenOffline)
    removeEventListener('online', open)
  }

  return {
    close,
    current: () => state,
    subscribe(listener) {
      if (listeners.size === 0) {
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
      const receipt = await handIn(view, decision, { api, key, passkey, surface, at: Date.now() + state.aheadMs })
      if (receipt.state !== 'held') tell({ kind: 'closed', receipt })
      return receipt
    },
  }
}

interface HandedIn extends Pick<HttpSourceOptions, 'key'> {
  readonly passkey: PasskeySigner | undefined
  readonly api: string
  readonly surface: string
  readonly at: number
}

async function handIn(view: HeldCallView, decision: Decision, by: HandedIn): Promise<Receipt> {
  const held = openHeld(view)
  // INVARIANT: L5, only a view whose digests were computed again here is ever signed for.
  if (held.kind === 'mismatch') throw new Error(held.message)
  const { nonce, passkey } = held.opened.body
  const { surface, at } = by
  const unsigned = { held: view.id, requestDigest: view.requestDigest, nonce, decision, surface, at }
  const messageOf = (approver: string): string => decisionMessage({ ...unsigned, approver })
  const signed =
    passkey === true && decision.kind === 'approve'
      ? { ...unsigned, ...(await byPasskey(messageOf, by.passkey)) }
      : { ...unsigned, ...(await byKey(messageOf, await by.key())) }
  const answer = await fetch(`${by.api}/held/${encodeURIComponent(view.id)}/decision`, {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signed),
  })
  const said: unknown = await answer.json().catch(() => null)
  if (isReceipt(said)) {
    // It is still held: the decision did not count, and the message says why.
    if (!said.accepted && said.state === 'held') throw new Error(said.message)
    return said
  }
  throw new Error(problemWords(said) ?? `the service answered ${answer.status}; nothing was decided`)
}

async function byKey(messageOf: (approver: string) => string, key: BrowserKey) {
  return { approver: key.keyId, signature: await key.sign(messageOf(key.keyId)) }
}

async function byPasskey(messageOf: (approver: string) => string, sign: PasskeySigner | undefined) {
  if (sign === undefined) throw new Error('policy demands a passkey for this call; decide it in the inbox')
  return sign((approver) => sha256(messageOf(approver)))
}

async function isSignedOut(api: string): Promise<boolean> {
  try {
    const { status } = await fetch(`${api}/me`, { credentials: 'include' })
    return status === 401 || status === 403
  } catch {
    return false
  }
}

function isReceipt(value: unknown): value is Receipt {
  return typeof value === 'object' && value !== null && 'accepted' in value && 'state' in value && 'held' in value
}

/** The one line of an error that the service sent, when it did. */
export function problemWords(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined
  const { error } = value
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined
  return typeof error.message === 'string' ? error.message : undefined
}
