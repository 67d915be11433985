/** Name of the lock and the channel. Change the number with the message format. */
const NAME = 'countersign-stream-2'
/** A leader that does not reply within this time is replaced. */
export const UNANSWERED_MS = 2_000

/** The leader's current state, or the state from a new stream. */
export type StateRequest = 'current' | 'fresh'

/** Callbacks of a tab. */
export interface TabRole<Message> {
  /** This tab became the leader. */
  lead(): void
  /** This tab lost the lead or was frozen. */
  pause(): void
  /** A message from the leader. */
  receive(message: Message, from: string): void
  /** A request from another tab to this leader. */
  answer(asker: string, request: StateRequest): void
}

/** The tabs of one origin in this browser, exactly one of which leads. */
export interface Tabs<Message> {
  readonly isLeading: boolean
  /** Queues for the lead, and requests state from the current leader. */
  requestState(request: StateRequest): void
  /** Sends a message to one tab or all; does nothing unless this tab leads. */
  send(message: Message, to?: string): void
  /** Gives up the lead and the queue, but still receives messages. */
  leave(): void
  close(): void
}

type TabMessage<Message> =
  | { readonly from: string; readonly request: StateRequest }
  | { readonly from: string; readonly message: Message; readonly to?: string }

/** Joins the tabs. Without Web Locks or BroadcastChannel, every tab leads itself. */
export function electLeader<Message>(role: TabRole<Message>): Tabs<Message> {
  if (!('locks' in navigator && 'BroadcastChannel' in globalThis)) return soloTab(role)
  const { locks } = navigator
  const me = crypto.randomUUID()
  const channel = new BroadcastChannel(NAME)
  let isLeading = false
  let lockRequest: AbortController | undefined
  let replyTimer: ReturnType<typeof setTimeout> | undefined

  function clearReplyTimer(): void {
    clearTimeout(replyTimer)
    replyTimer = undefined
  }

  /** The browser grants the lock to one tab at a time, and to the next when that tab goes away. */
  function acquire(how: 'queue' | 'steal'): void {
    lockRequest?.abort()
    const mine = new AbortController()
    const { signal } = mine
    lockRequest = mine
    let isGranted = false
    const granted = (): Promise<void> | undefined => {
      if (signal.aborted) return undefined
      isGranted = true
      lead()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    }
    const settled = (): void => {
      if (signal.aborted) return
      if (isGranted) handleLostLead()
      else lead() // locks do not work here
    }
    locks.request(NAME, how === 'steal' ? { steal: true } : { signal }, granted).then(settled, settled)
  }

  function lead(): void {
    clearReplyTimer()
    isLeading = true
    role.lead()
  }

  /** Another tab took the lead while this one was stuck. */
  function handleLostLead(): void {
    leave()
    role.pause()
    requestState('current')
  }

  function leave(): void {
    isLeading = false
    clearReplyTimer()
    lockRequest?.abort()
    lockRequest = undefined
  }

  function requestState(request: StateRequest): void {
    if (isLeading) return
    if (lockRequest === undefined) acquire('queue')
    channel.postMessage({ from: me, request } satisfies TabMessage<Message>)
    replyTimer ??= setTimeout(() => acquire('steal'), UNANSWERED_MS)
  }

  // A frozen page, or one in the back/forward cache, must not lead.
  function suspend(): void {
    leave()
    role.pause()
  }
  function resume(): void {
    if (lockRequest === undefined) requestState('current')
  }

  channel.onmessage = ({ data }: MessageEvent<TabMessage<Message>>) => {
    if ('request' in data) {
      if (isLeading) role.answer(data.from, data.request)
    } else if (!isLeading && (data.to === undefined || data.to === me)) {
      if (data.to === me) clearReplyTimer()
      role.receive(data.message, data.from)
    }
  }
  document.addEventListener('freeze', suspend)
  document.addEventListener('resume', resume)
  addEventListener('pagehide', suspend)
  addEventListener('pageshow', resume)
  return {
    get isLeading() {
      return isLeading
    },
    requestState,
    send(message, to) {
      if (isLeading)
        channel.postMessage({ from: me, message, ...(to === undefined ? {} : { to }) } satisfies TabMessage<Message>)
    },
    leave,
    close() {
      leave()
      channel.close()
      document.removeEventListener('freeze', suspend)
      document.removeEventListener('resume', resume)
      removeEventListener('pagehide', suspend)
      removeEventListener('pageshow', resume)
    },
  }
}

function soloTab<Message>(role: TabRole<Message>): Tabs<Message> {
  let isLeading = false
  return {
    get isLeading() {
      return isLeading
    },
    requestState() {
      if (isLeading) return
      isLeading = true
      role.lead()
    },
    send() {},
    leave() {
      isLeading = false
    },
    close() {},
  }
}
