/** Name of the lock and the channel. Change the number with the message format. */
const NAME = 'countersign-stream-1'
/** A leader that does not reply within this time is replaced. */
export const UNANSWERED_MS = 2_000

/** The leader's current state, or the state from a new stream. */
export type Wanted = 'stand' | 'anew'

/** Callbacks of a tab. */
export interface TabRole<Word> {
  /** This tab became the leader. */
  lead(): void
  /** This tab lost the lead or was frozen. */
  rest(): void
  /** A message from the leader. */
  hear(word: Word, from: string): void
  /** A request from another tab to this leader. */
  answer(asker: string, wanted: Wanted): void
}

/** The tabs of one origin in this browser, exactly one of which leads. */
export interface Tabs<Word> {
  readonly isLeading: boolean
  /** Queues for the lead, and requests state from the current leader. */
  ask(wanted: Wanted): void
  /** Sends a message to one tab or all; does nothing unless this tab leads. */
  tell(word: Word, to?: string): void
  /** Gives up the lead and the queue, but still receives messages. */
  leave(): void
  close(): void
}

type Said<Word> =
  | { readonly from: string; readonly wanted: Wanted }
  | { readonly from: string; readonly word: Word; readonly to?: string }

/** Joins the tabs. Without Web Locks or BroadcastChannel, every tab leads itself. */
export function electLeader<Word>(part: TabRole<Word>): Tabs<Word> {
  if (!('locks' in navigator && 'BroadcastChannel' in globalThis)) return aloneTab(part)
  const { locks } = navigator
  const me = crypto.randomUUID()
  const channel = new BroadcastChannel(NAME)
  let isLeading = false
  let turn: AbortController | undefined
  let unanswered: ReturnType<typeof setTimeout> | undefined

  function isAnswered(): void {
    clearTimeout(unanswered)
    unanswered = undefined
  }

  /** The browser grants the lock to one tab at a time, and to the next when that tab goes away. */
  function take(how: 'in turn' | 'at once'): void {
    turn?.abort()
    const mine = new AbortController()
    const { signal } = mine
    turn = mine
    let isGiven = false
    const given = (): Promise<void> | undefined => {
      if (signal.aborted) return undefined
      isGiven = true
      lead()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    }
    const isOver = (): void => {
      if (signal.aborted) return
      if (isGiven) isTaken()
      else lead() // locks do not work here
    }
    locks.request(NAME, how === 'at once' ? { steal: true } : { signal }, given).then(isOver, isOver)
  }

  function lead(): void {
    isAnswered()
    isLeading = true
    part.lead()
  }

  /** Another tab took the lead while this one was stuck. */
  function isTaken(): void {
    leave()
    part.rest()
    ask('stand')
  }

  function leave(): void {
    isLeading = false
    isAnswered()
    turn?.abort()
    turn = undefined
  }

  function ask(wanted: Wanted): void {
    if (isLeading) return
    if (turn === undefined) take('in turn')
    channel.postMessage({ from: me, wanted } satisfies Said<Word>)
    unanswered ??= setTimeout(() => take('at once'), UNANSWERED_MS)
  }

  // A frozen page, or one in the back/forward cache, must not lead.
  function putAway(): void {
    leave()
    part.rest()
  }
  function takenUp(): void {
    if (turn === undefined) ask('stand')
  }

  channel.onmessage = ({ data }: MessageEvent<Said<Word>>) => {
    if ('wanted' in data) {
      if (isLeading) part.answer(data.from, data.wanted)
    } else if (!isLeading && (data.to === undefined || data.to === me)) {
      if (data.to === me) isAnswered()
      part.hear(data.word, data.from)
    }
  }
  document.addEventListener('freeze', putAway)
  document.addEventListener('resume', takenUp)
  addEventListener('pagehide', putAway)
  addEventListener('pageshow', takenUp)
  return {
    get isLeading() {
      return isLeading
    },
    ask,
    tell(word, to) {
      if (isLeading) channel.postMessage({ from: me, word, ...(to === undefined ? {} : { to }) } satisfies Said<Word>)
    },
    leave,
    close() {
      leave()
      channel.close()
      document.removeEventListener('freeze', putAway)
      document.removeEventListener('resume', takenUp)
      removeEventListener('pagehide', putAway)
      removeEventListener('pageshow', takenUp)
    },
  }
}

function aloneTab<Word>(part: TabRole<Word>): Tabs<Word> {
  let isLeading = false
  return {
    get isLeading() {
      return isLeading
    },
    ask() {
      if (isLeading) return
      isLeading = true
      part.lead()
    },
    tell() {},
    leave() {
      isLeading = false
    },
    close() {},
  }
}
