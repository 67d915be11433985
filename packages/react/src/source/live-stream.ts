import type { Receipt } from '@countersign/core'
import type { HeldCall } from '../call/held-call.ts'
import type { Approvals, ConnectionState, Notice } from './approval-source.ts'
import type { ApprovalEvent } from './approvals-reducer.ts'
import { API, exchange } from './service-client.ts'
import { type StreamWatchdog, watchStream } from './stream-watchdog.ts'
import { electLeader, type StateRequest, type Tabs } from './tab-leader-election.ts'

/** `reconnecting` becomes `offline` after this long. */
const OFFLINE_AFTER_MS = 8_000
const RETRY_MS = 1_500

/**
 * Messages from the leading tab to the others. SECURITY: they carry no authority; every tab verifies all digests
 * itself.
 */
type LeaderMessage =
  | { readonly kind: 'event'; readonly event: ApprovalEvent; readonly id: string }
  /** The full state, from which a tab can follow. */
  | {
      readonly kind: 'current'
      readonly held: readonly HeldCall[]
      readonly receipts: readonly Receipt[]
      readonly aheadMs: number
      readonly id: string
    }
  /** The leader is not live. */
  | { readonly kind: 'link'; readonly link: ConnectionState }

/** The service's event stream. */
export interface LiveStream {
  open(): void
  /** Reopens the stream, to learn the result of a lost decision. */
  renew(): void
  close(): void
}

/** Holds the state and receives the events. */
export interface StateHolder {
  current(): Approvals
  apply(event: ApprovalEvent): void
}

/**
 * One event stream for all tabs: browsers allow only six connections per host, and decisions need one too. The leading
 * tab connects to the service and forwards every event. The other tabs watch the leader as it watches the service.
 */
export function liveStream({ current, apply }: StateHolder): LiveStream {
  let tabs: Tabs<LeaderMessage> | undefined
  let stream: EventSource | undefined
  let watch: StreamWatchdog | undefined
  let offline: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let resumeAfter = '' // id of the last event, where our own stream would resume
  let leader: string | undefined // the leader whose events continue our state

  /** Handles an event from the service or from the leading tab. */
  function receive(event: ApprovalEvent, id: string): void {
    watch?.received()
    // The service sends `now` after all missed events, so only then is the state current.
    if (event.kind === 'snapshot' || event.kind === 'now') setLive()
    apply(event)
    if (id !== '') resumeAfter = id
  }

  function connect(): void {
    disconnect()
    watch?.opened()
    stream = openServiceStream(resumeAfter, {
      event(event, id) {
        receive(event, id)
        tabs?.send({ kind: 'event', event, id })
      },
      failed: (failed) => void handleFailure(failed),
    })
  }

  function disconnect(): void {
    stream?.close()
    stream = undefined
    clearTimeout(retry)
  }

  function setLive(): void {
    clearOfflineTimer()
    apply({ kind: 'link', link: 'live' })
  }

  /** Changes the connection state here and in leader tabs. */
  function setDisconnected(link: Exclude<ConnectionState, 'live'>): void {
    apply({ kind: 'link', link })
    tabs?.send({ kind: 'link', link })
  }

  function setReconnecting(): void {
    const { link } = current()
    if (link === 'signed-out') return
    if (link === 'live' || link === 'connecting') setDisconnected('reconnecting')
    offline ??= setTimeout(setOffline, OFFLINE_AFTER_MS)
  }

  function setOffline(): void {
    setDisconnected('offline')
  }

  function clearOfflineTimer(): void {
    clearTimeout(offline)
    offline = undefined
  }

  /** INVARIANT: the page is live only while it receives events. */
  function handleSilence(): void {
    if (current().link === 'signed-out') return
    setReconnecting()
    reconnect()
  }

  function reconnect(): void {
    if (tabs?.isLeading === true) connect()
    else tabs?.requestState('current')
  }

  async function handleFailure(failed: EventSource): Promise<void> {
    setReconnecting()
    if (failed.readyState !== EventSource.CLOSED) return
    // The browser gave up: the service is down, or we are signed out.
    const isOut = await isSignedOut()
    if (stream !== failed) return
    if (isOut) handleSignedOut()
    else retry = setTimeout(connect, RETRY_MS)
  }

  /** Gives up the lead, so that the next tab that signs in can take it. */
  function handleSignedOut(): void {
    disconnect()
    clearOfflineTimer()
    setDisconnected('signed-out')
    tabs?.leave()
  }

  function lead(): void {
    pause()
    connect()
  }

  /** Stops receiving events. */
  function pause(): void {
    disconnect()
    leader = undefined
    if (current().link === 'live') setReconnecting()
  }

  function answer(asker: string, request: StateRequest): void {
    if (request === 'current')
      watch?.check() // a hidden tab's timers fire late
    else if (current().link === 'live') handleSilence()
    const { link, held, closed, aheadMs } = current()
    const receipts = closed.map(({ receipt }) => receipt).reverse()
    tabs?.send(
      link === 'live' ? { kind: 'current', held, receipts, aheadMs, id: resumeAfter } : { kind: 'link', link },
      asker,
    )
  }

  function receiveFromLeader(message: LeaderMessage, from: string): void {
    if (message.kind === 'current') {
      leader = from
      for (const receipt of message.receipts) apply({ kind: 'closed', receipt })
      const at = Date.now()
      receive({ kind: 'snapshot', held: message.held, now: at + message.aheadMs, at }, message.id)
    } else if (message.kind === 'link') {
      watch?.received()
      if (message.link === 'signed-out') handleSignedOut()
      else if (message.link !== 'connecting') setReconnecting()
    } else if (from === leader) receive(message.event, message.id)
    else if (message.event.kind === 'now') tabs?.requestState('current') // another tab leads and is live
  }

  return {
    open() {
      pause()
      watch = watchStream(handleSilence)
      watch.opened()
      tabs = electLeader<LeaderMessage>({ lead, pause, answer, receive: receiveFromLeader })
      tabs.requestState('current')
      addEventListener('offline', setOffline)
      addEventListener('online', reconnect)
    },
    renew() {
      if (tabs?.isLeading === true) return handleSilence()
      leader = undefined
      setReconnecting()
      tabs?.requestState('fresh')
    },
    close() {
      disconnect()
      clearOfflineTimer()
      watch?.stop()
      watch = undefined
      tabs?.close()
      tabs = undefined
      leader = undefined
      removeEventListener('offline', setOffline)
      removeEventListener('online', reconnect)
    },
  }
}

async function isSignedOut(): Promise<boolean> {
  try {
    const { status } = await exchange('/me', { isBounded: true }) // a hanging request would block the retry
    return status === 401 || status === 403
  } catch {
    return false
  }
}

/** Receives the events of one stream. */
interface StreamListener {
  /** An event, with its id if it has one. */
  event(event: ApprovalEvent, id: string): void
  /** The connection was lost; the browser retries or has given up. */
  failed(stream: EventSource): void
}

/** Opens the service's event stream after event `last`, or from the start. */
function openServiceStream(last: string, listener: StreamListener): EventSource {
  const opened = new EventSource(`${API}/stream${last === '' ? '' : `?last=${last}`}`)
  const receive = (name: string, read: (data: never) => ApprovalEvent): void =>
    opened.addEventListener(name, (message) => {
      const { data, lastEventId } = message as MessageEvent
      listener.event(read(JSON.parse(String(data)) as never), lastEventId)
    })
  receive('snapshot', ({ held, now }: { readonly held: readonly HeldCall[]; readonly now: number }) => {
    return { kind: 'snapshot', held, now, at: Date.now() }
  })
  receive('held', (view: HeldCall) => ({ kind: 'held', view }))
  receive('closed', (receipt: Receipt) => ({ kind: 'closed', receipt }))
  receive('notice', (notice: Notice) => ({ kind: 'notice', notice }))
  receive('now', ({ now }: { readonly now: number }) => ({ kind: 'now', now, at: Date.now() }))
  receive('grants', () => ({ kind: 'changed' }))
  receive('policy', () => ({ kind: 'changed' }))
  opened.onerror = () => listener.failed(opened)
  return opened
}
