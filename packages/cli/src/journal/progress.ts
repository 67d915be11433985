import type { Io } from '../terminal/io.ts'

const QUIET_MS = 1000
const BETWEEN_MS = 100

/** A progress line, shown on a terminal after one second. */
export function createProgress(io: Io, verb: string, now: () => number = Date.now) {
  const started = now()
  let shown = 0
  return {
    show(done: number, total: number): void {
      const at = now()
      if (!io.isTty.stderr || at - started < QUIET_MS || at - shown < BETWEEN_MS) return
      shown = at
      io.stderr.write(`\r${verb} ${done} of ${total} entries`)
    },
    clear(): void {
      if (shown > 0) io.stderr.write('\r\u001b[K')
    },
  }
}
