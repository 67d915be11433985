import { closeSync, openSync } from 'node:fs'
import { ReadStream, WriteStream } from 'node:tty'

/** The terminal a person sits at: raw keys in, text out. */
export interface Terminal {
  readonly columns: number
  readonly rows: number
  /** No escape sequences at all: a dumb terminal, or colours were refused. Nothing is then drawn over. */
  readonly plain: boolean
  readonly color: boolean
  write(text: string): void
  /** Raw input from now on, undecoded keys as they come; the returned function ends it and restores the terminal. */
  listen(onInput: (chunk: string) => void, onGone: () => void): () => void
  close(): void
}

/**
 * Opens the controlling terminal itself, since stdin may be joined to something meant for the command.
 * Null when there is none: a service, a pipeline of an agent, a container without `-t`.
 */
export function openTerminal(look: { readonly color: boolean; readonly plain: boolean }): Terminal | null {
  const fd = openTty()
  if (fd === null) return null
  let output: WriteStream
  let input: ReadStream
  try {
    output = new WriteStream(fd)
    input = new ReadStream(fd)
  } catch {
    closeSync(fd)
    return null
  }
  // A terminal that goes away is told to the prompt by its end, never by a crash.
  output.on('error', () => {})
  input.on('error', () => {})
  input.pause()
  input.setEncoding('utf8')
  return {
    ...look,
    get columns() {
      return output.columns > 0 ? output.columns : 80
    },
    get rows() {
      return output.rows > 0 ? output.rows : 24
    },
    write(text) {
      output.write(text)
    },
    listen(onInput, onGone) {
      const hear = (chunk: string): void => onInput(chunk)
      input.on('data', hear)
      input.once('close', onGone)
      input.setRawMode(true)
      input.resume()
      return () => {
        input.off('data', hear)
        input.off('close', onGone)
        input.pause()
        if (!input.destroyed) input.setRawMode(false)
      }
    },
    close() {
      input.destroy()
      output.destroy()
    },
  }
}

function openTty(): number | null {
  try {
    return openSync('/dev/tty', 'r+')
  } catch {
    return null
  }
}
