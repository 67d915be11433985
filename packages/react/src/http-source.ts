import { type Decision, decisionMessage, type HeldCallView, type Receipt } from '@countersign/core'
import { type ApprovalSource, type Approvals, NO_APPROVALS, type Notice } from './approval-source.ts'
import { stepApprovals, type Told } from './approvals-step.ts'
import type { BrowserKey } from './browser-key.ts'
import type { HeldCall } from './held-call.ts'
import { openHeld } from './open-held.ts'
import { sha256 } from './sha256.ts'
import { type SilenceWatch, watchSilence } from './silence.ts'

/** After this long without the stream, `reconnecting` is called by its name: offline. */
const OFFLINE_AFTER_MS = 8_000

/** The service answers the pages of its own origin and no other: there is no CORS, so there is no address to choose. */
const API = '/api/v1'

/** How decisions are signed. */
export interface HttpSourceOptions {
  /** This browser's key; null where it may not decide: then the passkey signs every decision. */
  readonly key: () => Promise<BrowserKey | null>
  /** Signs where policy demands a passkey, and where there is no key; without it such a call cannot be decided here. */
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
export function httpSource({ key, passkey, surface = 'web' }: HttpSourceOptions): HttpSource {
  const listeners = new Set<() => void>()
  let state: Approvals = NO_APPROVALS
  let stream: EventSource | undefined
  let offline: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let watch: SilenceWatch | undefined

  function tell(told: Told): void {
    const next = stepApprovals(state, told)
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }

  function open(): void {
    stream?.close()
    const opened = new EventSource(`${API}/stream`)
    stream = opened
    watch?.heard()
    const hear = (name: string, read: (data: never) => Told): void =>
      opened.addEventListener(name, (event) => {
        watch?.heard()
        tell(read(JSON.parse(String((event as MessageEvent).data)) as never))
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
      const receipt = await handIn(view, decision, { key, passkey, surface, at: Date.now() + state.aheadMs })
      if (receipt.state !== 'held') tell({ kind: 'closed', receipt, about: view.requestDigest })
      return receipt
    },
    async load({ id }) {
      tell({ kind: 'whole', view: await readView(id) })
    },
  }
}

interface HandedIn extends Pick<HttpSourceOptions, 'key'> {
  readonly passkey: PasskeySigner | undefined
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
  const isDemanded = passkey === true && decision.kind === 'approve'
  const key = isDemanded ? null : await by.key()
  const signed = {
    ...unsigned,
    ...(await (key === null ? byPasskey(messageOf, by.passkey, isDemanded) : byKey(messageOf, key))),
  }
  const answer = await fetch(`${API}/held/${encodeURIComponent(view.id)}/decision`, {
    method: 'POST',
    credentials: 'same-origin',
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

async function byPasskey(
  messageOf: (approver: string) => string,
  sign: PasskeySigner | undefined,
  isDemanded: boolean,
) {
  if (sign === undefined) {
    const why = isDemanded ? 'policy demands a passkey for this call' : 'this browser’s key may not decide'
    throw new Error(`${why}; decide it in the inbox`)
  }
  return sign((approver) => sha256(messageOf(approver)))
}

async function readView(id: string): Promise<HeldCallView> {
  const answer = await fetch(`${API}/held/${encodeURIComponent(id)}`, { credentials: 'same-origin' })
  const said: unknown = await answer.json().catch(() => null)
  if (!answer.ok || said === null) throw new Error(problemWords(said) ?? `the service answered ${answer.status}`)
  return said as HeldCallView
}

async function isSignedOut(): Promise<boolean> {
  try {
    const { status } = await fetch(`${API}/me`, { credentials: 'same-origin' })
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
