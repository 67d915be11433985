/** A stub of the Web Locks API: one holder, a queue and stealing. */
export function makeLocks() {
  type Turn = { readonly give: () => unknown; readonly lose: (why: Error) => void; readonly done: () => void }
  let holder: Turn | undefined
  const line: Turn[] = []
  function next(): void {
    if (holder !== undefined) return
    const turn = line.shift()
    if (turn === undefined) return
    holder = turn
    void Promise.resolve(turn.give()).then(() => {
      if (holder !== turn) return
      holder = undefined
      turn.done()
      next()
    })
  }
  return {
    request(_: string, how: { readonly steal?: boolean; readonly signal?: AbortSignal }, give: () => unknown) {
      return new Promise<void>((done, lose) => {
        const turn = { give, lose, done }
        how.signal?.addEventListener('abort', () => {
          if (line.includes(turn)) line.splice(line.indexOf(turn), 1)
        })
        if (how.steal === true) {
          holder?.lose(new Error('stolen'))
          holder = undefined
          line.unshift(turn)
        } else line.push(turn)
        void Promise.resolve().then(next)
      })
    },
  }
}

/** A stub of `BroadcastChannel`: asynchronous and ordered. A stuck channel neither sends nor receives. */
export class Channel {
  static all: Channel[] = []
  onmessage: (event: { readonly data: unknown }) => void = () => {}
  isStuck = false
  constructor() {
    Channel.all.push(this)
  }
  postMessage(data: unknown): void {
    if (this.isStuck) return
    const copy = structuredClone(data)
    for (const other of Channel.all.filter((one) => one !== this))
      queueMicrotask(() => {
        if (!other.isStuck && Channel.all.includes(other)) other.onmessage({ data: copy })
      })
  }
  close(): void {
    Channel.all = Channel.all.filter((one) => one !== this)
  }
}
