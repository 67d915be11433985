import { write as writeFile } from 'node:fs'

/** Writes lines to a file descriptor, and never waits for whoever reads it. */
export interface LineWriter {
  write(line: string): void
  /** Resolves once everything is written, or `ms` have passed. */
  flush(ms: number): Promise<void>
}

/** INVARIANT: L10, so much may wait for a slow reader; what comes after it is dropped and counted. */
const MOST_WAITING = 1024 * 1024
const AGAIN_MS = 20

/** `dropped` makes the line that tells how many lines are missing. A descriptor that fails for good gets no more. */
export function createLineWriter(fd: number, dropped: (count: number) => string): LineWriter {
  const waiting: Buffer[] = []
  let size = 0
  let missing = 0
  let isWriting = false
  let isBroken = false
  const idle: (() => void)[] = []

  function enqueue(line: string): void {
    const bytes = Buffer.from(`${line}\n`)
    waiting.push(bytes)
    size += bytes.length
  }

  function next(): void {
    if (isWriting) return
    if (missing > 0 && waiting.length === 0) {
      enqueue(dropped(missing))
      missing = 0
    }
    if (waiting.length === 0 || isBroken) {
      for (const done of idle.splice(0)) done()
      return
    }
    isWriting = true
    send(Buffer.concat(waiting.splice(0)))
  }

  function send(bytes: Buffer): void {
    writeFile(fd, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') return void setTimeout(send, AGAIN_MS, bytes).unref()
      isBroken = error !== null
      if (!isBroken && written < bytes.length) return send(bytes.subarray(written))
      size = waiting.reduce((sum, one) => sum + one.length, 0)
      isWriting = false
      next()
    })
  }

  return {
    write(line) {
      if (isBroken) return
      if (size > MOST_WAITING) missing += 1
      else enqueue(line)
      next()
    },
    flush(ms) {
      return new Promise((resolve) => {
        if (!isWriting) return resolve()
        idle.push(resolve)
        setTimeout(resolve, ms)
      })
    },
  }
}
