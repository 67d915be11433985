import { PassThrough } from 'node:stream'

/** A terminal that nobody looks at: keys go in, what is drawn is kept only as long as somebody waits for it. */
export interface BenchScreen {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
  press(key: string): void
  /** Hears each piece that is drawn. */
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
