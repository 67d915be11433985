import { openSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { ReadStream } from 'node:tty'

/** The keyboard as Ink wants it, let go of entirely whenever raw mode ends. */
export interface TerminalInput extends NodeJS.ReadableStream {
  readonly isTTY: true
  setRawMode(isRaw: boolean): this
  ref(): this
  unref(): this
  close(): void
}

/**
 * Reads the terminal only while raw mode is on. `process.stdin` goes on reading after it was paused, and then an editor
 * that the terminal was handed to has to share its keys with us: so the terminal is opened anew each time, and closed.
 */
export function openTerminalInput(path = '/dev/tty'): TerminalInput {
  const keys = new PassThrough()
  let source: ReadStream | null = null

  function open(): void {
    if (source !== null) return
    const opened = new ReadStream(openSync(path, 'r+'))
    source = opened
    opened.on('error', () => {}) // a terminal that went away is told by its end
    opened.on('data', (chunk) => {
      if (source === opened) keys.write(chunk)
    })
    opened.once('end', () => keys.end())
    opened.setRawMode(true)
  }

  function close(): void {
    const opened = source
    source = null
    if (opened === null || opened.destroyed) return
    opened.setRawMode(false)
    opened.destroy()
  }

  const input: TerminalInput = Object.assign(keys, {
    isTTY: true as const,
    setRawMode(isRaw: boolean) {
      if (isRaw) open()
      else close()
      return input
    },
    ref: () => input,
    unref: () => input,
    close,
  })
  return input
}
