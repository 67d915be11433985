import { CountersignError } from '@countersign/core'

/** Calls of one asker that are judged at once. One that is held no longer counts. */
const AT_ONCE = 32
/** Calls that may wait to be judged before the connection is read no further. INVARIANT: L10. */
const MOST_WAITING = 256

/** Limits how much work one asker has under way, so that little of it is left to do once the asker is gone. */
export interface JudgingSlots {
  /** Runs `judge` when there is a slot for it; rejects if the asker left before. */
  run<T>(id: number, judge: () => Promise<T>): Promise<T>
  /** Frees the slot of a call that only waits for a person from now on. */
  release(id: number): void
  /** Resolves when more may be read; undefined if that is now. */
  room(): Promise<void> | undefined
  /** The asker is gone: whatever has no slot yet is dropped. */
  drop(): void
}

export function createJudgingSlots(): JudgingSlots {
  const busy = new Set<number>()
  const waiting: { readonly start: () => void; readonly fail: (error: unknown) => void }[] = []
  let roomy: (() => void)[] = []
  let dropped = false

  function release(id: number): void {
    if (!busy.delete(id)) return
    waiting.shift()?.start()
    if (waiting.length < MOST_WAITING) letRead()
  }

  function letRead(): void {
    const all = roomy
    roomy = []
    for (const go of all) go()
  }

  async function enter(id: number): Promise<void> {
    if (dropped) throw left()
    if (busy.size >= AT_ONCE) await new Promise<void>((start, fail) => waiting.push({ start, fail }))
    busy.add(id)
  }

  return {
    async run(id, judge) {
      await enter(id)
      try {
        return await judge()
      } finally {
        release(id)
      }
    },
    release,
    room: () => (waiting.length < MOST_WAITING ? undefined : new Promise((go) => roomy.push(go))),
    drop() {
      dropped = true
      for (const { fail } of waiting.splice(0)) fail(left())
      letRead()
    },
  }
}

function left(): CountersignError {
  return new CountersignError('CS_WITHDRAWN', 'the asker left before the call was judged; it did not run')
}
