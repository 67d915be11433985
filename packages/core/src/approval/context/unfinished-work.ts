import type { Clock } from '../../ports/clock.ts'

/** Changes that the store did not take because it was gone, such as closing a call whose caller was refused. */
export interface UnfinishedWork {
  /** Does this again once the store is back. What still fails when the process has ended is swept by the next one. */
  later(work: () => Promise<unknown>): void
  /** The store took a change: it is back. */
  resume(): void
  close(): void
}

/** INVARIANT: L10, more than can wait for a person is not kept. */
const MOST = 10_000
/** Tried this often by itself, for two minutes: a process that wants to end is not kept for longer. */
const PAUSES_MS = [500, 2_000, 8_000, 32_000, 64_000]

/** Collects changes for the time when the store is back: any later commit tells, or a few tries. */
export function createUnfinishedWork(clock: Clock): UnfinishedWork {
  const works = new Set<() => Promise<unknown>>()
  let running: Promise<void> | undefined
  let cancel = () => {}
  let tries = 0

  async function run(): Promise<void> {
    for (const work of [...works])
      if (
        await work().then(
          () => true,
          () => false,
        )
      )
        works.delete(work)
  }

  function resume(): void {
    if (works.size === 0 || running !== undefined) return
    cancel()
    running = run().finally(() => {
      running = undefined
      wait()
    })
  }

  function wait(): void {
    const pause = PAUSES_MS[tries]
    if (works.size === 0 || pause === undefined) return
    tries += 1
    cancel = clock.after(pause, resume)
  }

  return {
    later(work) {
      if (works.size >= MOST) return
      works.add(work)
      tries = 0
      cancel()
      if (running === undefined) wait()
    },
    resume,
    close() {
      works.clear()
      cancel()
    },
  }
}
