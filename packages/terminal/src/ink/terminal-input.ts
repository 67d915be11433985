import { openSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { ReadStream } from 'node:tty'

/** A keyboard stream for Ink that closes the terminal whenever raw mode ends. */
export interface TerminalInput extends NodeJS.ReadableStream {
  readonly isTTY: true
  setRawMode(isRaw: boolean): this
  ref(): this
  unref(): this
  close(): void
}

/**
 * Reads the terminal only in raw mode. `process.stdin` keeps reading after a pause and would steal keys from an editor,
 * so the terminal is opened and closed each time.
 */
export function openTerminalInput(path = '/dev/tty'): TerminalInput {
  const keys = new PassThrough()
  let source: ReadStream | null = null

  function open(): void {
    if (source !== null) return
    const opened = new ReadStream(openSync(path, 'r+'))
    source = opened
    opened.on('error', () => {}) // a closing terminal is reported by `end`
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
