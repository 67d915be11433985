import { closeSync, openSync } from 'node:fs'
import { ReadStream, WriteStream } from 'node:tty'

/** The controlling terminal: raw keys in, text out. */
export interface Terminal {
  readonly columns: number
  readonly rows: number
  /** No escape sequences: a dumb terminal, or `--no-color`. Nothing is redrawn. */
  readonly plain: boolean
  readonly color: boolean
  write(text: string): void
  /** Starts raw input. The returned function stops it and restores the terminal. */
  listen(onInput: (chunk: string) => void, onGone: () => void): () => void
  close(): void
}

/**
 * Opens the controlling terminal itself, since stdin may belong to the command. Null if there is none: a service, an
 * agent's pipe, a container without `-t`.
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
  // A closing terminal ends the prompt; it must not crash the process.
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
