/** Batches low-priority background work. */
export interface DeferredTasks {
  add(task: () => Promise<void> | void): void
  /** Runs everything now, and resolves when it is done. */
  doNow(): Promise<void>
  readonly isBusy: boolean
}

/** An agent often calls again right after an answer, and that call goes first. */
const AFTER_MS = 10
/** Enough for the store to write them together, few enough not to delay a call. */
const MAX_AT_ONCE = 32

export function createDeferredTasks(): DeferredTasks {
  const tasks: (() => Promise<void> | void)[] = []
  let isWaiting = false

  function next(): void {
    for (const task of tasks.splice(0, MAX_AT_ONCE)) void task()
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
