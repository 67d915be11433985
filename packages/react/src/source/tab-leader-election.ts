/** The lock of the tab that leads, and the channel of them all. Tabs that speak otherwise need another name. */
const NAME = 'countersign-stream-1'
/** A leader that says nothing for so long when asked is frozen or stuck: another takes its place. */
export const UNANSWERED_MS = 2_000

/** Where things stand; or that, read anew from the service. */
export type Wanted = 'stand' | 'anew'

/** What a tab does in its part. */
export interface TabRole<Word> {
  /** It leads from now on. */
  lead(): void
  /** It leads no longer, or is put away by the browser. */
  rest(): void
  /** The leader says something, to all or to this tab alone. */
  hear(word: Word, from: string): void
  /** A tab asks this one, which leads. */
  answer(asker: string, wanted: Wanted): void
}

/** The tabs of this browser that show one origin. One of them leads; when it goes the next does. */
export interface Tabs<Word> {
  readonly isLeading: boolean
  /** Stands in line for the lead, and asks whoever has it. */
  ask(wanted: Wanted): void
  /** Said by the leader; of anybody else nothing is heard. */
  tell(word: Word, to?: string): void
  /** Neither leads nor stands in line, but still hears. */
  leave(): void
  close(): void
}

type Said<Word> =
  | { readonly from: string; readonly wanted: Wanted }
  | { readonly from: string; readonly word: Word; readonly to?: string }

/** Joins them. A browser without locks or channels, and a page that is not served safely, has each tab lead itself. */
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

  /** The browser gives a lock to one tab at a time, and on to the next when that tab is gone, however it went. */
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
      else lead() // no lock can be had here
    }
    locks.request(NAME, how === 'at once' ? { steal: true } : { signal }, given).then(isOver, isOver)
  }

  function lead(): void {
    isAnswered()
    isLeading = true
    part.lead()
  }

  /** This tab was stuck, and another has taken the lead. */
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

  // What is frozen, or kept to go back to, says nothing: it must not lead, nor come to.
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
