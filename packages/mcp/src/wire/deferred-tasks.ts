/** Small things that nobody waits for, done together a little later. */
export interface Later {
  add(task: () => Promise<void> | void): void
  /** Does all of it now, and resolves when it is done. */
  doNow(): Promise<void>
  readonly isBusy: boolean
}

/** An agent that got its answer often asks again at once: that call comes first. */
const AFTER_MS = 10
/** Some at once, since the store writes them together; not all, so that no call waits for long. */
const MOST_AT_ONCE = 32

export function createLater(): Later {
  const tasks: (() => Promise<void> | void)[] = []
  let isWaiting = false

  function next(): void {
    for (const task of tasks.splice(0, MOST_AT_ONCE)) void task()
    if (tasks.length > 0) setImmediate(next)
    else isWaiting = false
  }

  return {
    add(task) {
      tasks.push(task)
      if (isWaiting) return
      isWaiting = true
      setTimeout(next, AFTER_MS)
    },
    async doNow() {
      await Promise.allSettled(tasks.splice(0).map((task) => task()))
    },
    get isBusy() {
      return tasks.length > 0
    },
  }
}
