import type { Receipt } from '@countersign/core'
import type { HeldCall } from '../call/held-call.ts'
import type { Approvals, ConnectionState, Notice } from './approval-source.ts'
import type { Told } from './approvals-reducer.ts'
import { API, exchange } from './service-client.ts'
import { type StreamWatchdog, watchStream } from './stream-watchdog.ts'
import { electLeader, type Tabs, type Wanted } from './tab-leader-election.ts'

/** `reconnecting` becomes `offline` after this long. */
const OFFLINE_AFTER_MS = 8_000
const RETRY_MS = 1_500

/**
 * Messages from the leading tab to the others. SECURITY: they carry no authority; every tab verifies all digests
 * itself.
 */
type Word =
  | { readonly kind: 'told'; readonly told: Told; readonly id: string }
  /** The full state, from which a tab can follow. */
  | {
      readonly kind: 'stand'
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
export interface Audience {
  current(): Approvals
  tell(told: Told): void
}

/**
 * One event stream for all tabs: browsers allow only six connections per host, and decisions need one too. The leading
 * tab connects to the service and forwards every event. The other tabs watch the leader as it watches the service.
 */
export function liveStream({ current, tell }: Audience): LiveStream {
  let tabs: Tabs<Word> | undefined
  let stream: EventSource | undefined
  let watch: StreamWatchdog | undefined
  let offline: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let seen = '' // id of the last event, where our own stream would resume
  let following: string | undefined // the leader whose events continue our state

  /** Handles an event from the service or from the leading tab. */
  function hear(told: Told, id: string): void {
    watch?.heard()
    // The service sends `now` after all missed events, so only then is the state current.
    if (told.kind === 'snapshot' || told.kind === 'now') isLive()
    tell(told)
    if (id !== '') seen = id
  }

  function connect(): void {
    disconnect()
    watch?.opening()
    stream = openServiceStream(seen, {
      told(told, id) {
        hear(told, id)
        tabs?.tell({ kind: 'told', told, id })
      },
      failed: (failed) => void isGone(failed),
    })
  }

  function disconnect(): void {
    stream?.close()
    stream = undefined
    clearTimeout(retry)
  }

  function isLive(): void {
    stopCounting()
    tell({ kind: 'link', link: 'live' })
  }

  /** Changes the connection state here and in following tabs. */
  function isNot(link: Exclude<ConnectionState, 'live'>): void {
    tell({ kind: 'link', link })
    tabs?.tell({ kind: 'link', link })
  }

  function isReconnecting(): void {
    const { link } = current()
    if (link === 'signed-out') return
    if (link === 'live' || link === 'connecting') isNot('reconnecting')
    offline ??= setTimeout(whenOffline, OFFLINE_AFTER_MS)
  }

  function whenOffline(): void {
    isNot('offline')
  }

  function stopCounting(): void {
    clearTimeout(offline)
    offline = undefined
  }

  /** INVARIANT: the page is live only while it receives events. */
  function isSilent(): void {
    if (current().link === 'signed-out') return
    isReconnecting()
    comeBack()
  }

  function comeBack(): void {
    if (tabs?.isLeading === true) connect()
    else tabs?.ask('stand')
  }

  async function isGone(failed: EventSource): Promise<void> {
    isReconnecting()
    if (failed.readyState !== EventSource.CLOSED) return
    // The browser gave up: the service is down, or we are signed out.
    const isOut = await isSignedOut()
    if (stream !== failed) return
    if (isOut) isOutNow()
    else retry = setTimeout(connect, RETRY_MS)
  }

  /** Gives up the lead, so that the next tab that signs in can take it. */
  function isOutNow(): void {
    disconnect()
    stopCounting()
    isNot('signed-out')
    tabs?.leave()
  }

  function lead(): void {
    rest()
    connect()
  }

  /** Stops receiving events. */
  function rest(): void {
    disconnect()
    following = undefined
    if (current().link === 'live') isReconnecting()
  }

  function answer(asker: string, wanted: Wanted): void {
    if (wanted === 'stand')
      watch?.look() // a hidden tab's timers fire late
    else if (current().link === 'live') isSilent()
    const { link, held, closed, aheadMs } = current()
    const receipts = closed.map(({ receipt }) => receipt).reverse()
    tabs?.tell(link === 'live' ? { kind: 'stand', held, receipts, aheadMs, id: seen } : { kind: 'link', link }, asker)
  }

  function hearLeader(word: Word, from: string): void {
    if (word.kind === 'stand') {
      following = from
      for (const receipt of word.receipts) tell({ kind: 'closed', receipt })
      const at = Date.now()
      hear({ kind: 'snapshot', held: word.held, now: at + word.aheadMs, at }, word.id)
    } else if (word.kind === 'link') {
      watch?.heard()
      if (word.link === 'signed-out') isOutNow()
      else if (word.link !== 'connecting') isReconnecting()
    } else if (from === following) hear(word.told, word.id)
    else if (word.told.kind === 'now') tabs?.ask('stand') // another tab leads and is live
  }

  return {
    open() {
      rest()
      watch = watchStream(isSilent)
      watch.opening()
      tabs = electLeader<Word>({ lead, rest, answer, hear: hearLeader })
      tabs.ask('stand')
      addEventListener('offline', whenOffline)
      addEventListener('online', comeBack)
    },
    renew() {
      if (tabs?.isLeading === true) return isSilent()
      following = undefined
      isReconnecting()
      tabs?.ask('anew')
    },
    close() {
      disconnect()
      stopCounting()
      watch?.stop()
      watch = undefined
      tabs?.close()
      tabs = undefined
      following = undefined
      removeEventListener('offline', whenOffline)
      removeEventListener('online', comeBack)
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
export interface StreamEar {
  /** An event, with its id if it has one. */
  told(told: Told, id: string): void
  /** The connection was lost; the browser retries or has given up. */
  failed(stream: EventSource): void
}

/** Opens the service's event stream after event `last`, or from the start. */
export function openServiceStream(last: string, ear: StreamEar): EventSource {
  const opened = new EventSource(`${API}/stream${last === '' ? '' : `?last=${last}`}`)
  const hear = (name: string, read: (data: never) => Told): void =>
    opened.addEventListener(name, (event) => {
      const { data, lastEventId } = event as MessageEvent
      ear.told(read(JSON.parse(String(data)) as never), lastEventId)
    })
  hear('snapshot', ({ held, now }: { readonly held: readonly HeldCall[]; readonly now: number }) => {
    return { kind: 'snapshot', held, now, at: Date.now() }
  })
  hear('held', (view: HeldCall) => ({ kind: 'held', view }))
  hear('closed', (receipt: Receipt) => ({ kind: 'closed', receipt }))
  hear('notice', (notice: Notice) => ({ kind: 'notice', notice }))
  hear('now', ({ now }: { readonly now: number }) => ({ kind: 'now', now, at: Date.now() }))
  hear('grants', () => ({ kind: 'changed' }))
  hear('policy', () => ({ kind: 'changed' }))
  opened.onerror = () => ear.failed(opened)
  return opened
}
