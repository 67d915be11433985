import type { Receipt } from '@countersign/core'
import type { HeldCall } from '../call/held-call.ts'
import type { Approvals, ConnectionState, Notice } from './approval-source.ts'
import type { Told } from './approvals-reducer.ts'
import { API, exchange } from './service-client.ts'
import { type StreamWatchdog, watchStream } from './stream-watchdog.ts'
import { electLeader, type Tabs, type Wanted } from './tab-leader-election.ts'

/** After this long without the stream, `reconnecting` is called by its name: offline. */
const OFFLINE_AFTER_MS = 8_000
const RETRY_MS = 1_500

/** What the tab that hears the service says to the others. SECURITY: no authority, a surface computes every digest again. */
type Word =
  | { readonly kind: 'told'; readonly told: Told; readonly id: string }
  /** Everything that a tab needs to follow from here. */
  | {
      readonly kind: 'stand'
      readonly held: readonly HeldCall[]
      readonly receipts: readonly Receipt[]
      readonly aheadMs: number
      readonly id: string
    }
  /** It is not live. */
  | { readonly kind: 'link'; readonly link: ConnectionState }

/** What the service tells, for as long as it is open. */
export interface LiveStream {
  open(): void
  /** What became of something stands only in what a new stream tells. */
  renew(): void
  close(): void
}

/** Whom it is told to. */
export interface Audience {
  current(): Approvals
  tell(told: Told): void
}

/**
 * The service's stream, one for all tabs of a browser: it gives a host only six connections, and decisions need one too.
 * The tab that leads hears the service and passes everything on; the others watch it as it watches the service.
 */
export function liveStream({ current, tell }: Audience): LiveStream {
  let tabs: Tabs<Word> | undefined
  let stream: EventSource | undefined
  let watch: StreamWatchdog | undefined
  let offline: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let seen = '' // the number of the last event: a stream of our own opening goes on from there
  let following: string | undefined // whose words go on from what is shown here

  /** From the service, or by way of the tab that leads. */
  function hear(told: Told, id: string): void {
    watch?.heard()
    // The first `now` comes when everything that was missed is told: only then is what is shown what is held.
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

  /** Here, and in the tabs that follow this one. */
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

  /** INVARIANT: what is shown is called live only while the service is heard. */
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
    // The browser gave up: either nobody is there, or we are no longer known.
    const isOut = await isSignedOut()
    if (stream !== failed) return
    if (isOut) isOutNow()
    else retry = setTimeout(connect, RETRY_MS)
  }

  /** The lead is for whoever signs in next. */
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

  /** Nobody is heard for now. */
  function rest(): void {
    disconnect()
    following = undefined
    if (current().link === 'live') isReconnecting()
  }

  function answer(asker: string, wanted: Wanted): void {
    if (wanted === 'stand')
      watch?.look() // timers of a hidden tab are late
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
    else if (word.told.kind === 'now') tabs?.ask('stand') // another leads, and is live
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
    const { status } = await exchange('/me', { isBounded: true }) // or no new stream would ever be tried
    return status === 401 || status === 403
  } catch {
    return false
  }
}

/** Hears one stream of the service. */
export interface StreamEar {
  /** Something came; with the number of the event, where it has one. */
  told(told: Told, id: string): void
  /** The connection is lost: the browser tries again, or has given up. */
  failed(stream: EventSource): void
}

/** Opens the service's stream after the event of this number; from the beginning without one. */
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
