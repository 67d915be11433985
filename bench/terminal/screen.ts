import { PassThrough } from 'node:stream'

/** A simulated terminal: accepts keys, and keeps output only while somebody waits for it. */
export interface BenchScreen {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
  press(key: string): void
  /** Called with each piece of output. */
  onDrawn(hear: (text: string) => void): void
}

/** A screen of 80×24. */
export function createBenchScreen(): BenchScreen {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {}, ref() {}, unref() {} })
  let heard = (_: string): void => {}
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  stdout.on('data', (chunk) => heard(String(chunk)))
  stdin.setEncoding('utf8')
  return {
    stdin: stdin as unknown as NodeJS.ReadableStream,
    stdout: stdout as unknown as NodeJS.WritableStream,
    press: (key) => void stdin.write(key),
    onDrawn(hear) {
      heard = hear
    },
  }
}
