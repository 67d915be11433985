import { EventEmitter } from 'node:events'

/** An in-memory terminal for Ink. */
export class MemoryTty extends EventEmitter {
  readonly isTTY = true
  columns = 80
  rows = 24
  frame = ''
  frames = 0
  /** Everything written so far. */
  all = ''
  #chunks: string[] = []

  /** Keeps complete frames only, which Ink writes at once. */
  write(text: string, ...rest: readonly unknown[]): boolean {
    this.all += text
    if (/[─━═]|held|similar calls/.test(text)) {
      this.frame = text
      this.frames += 1
    }
    for (const done of rest) if (typeof done === 'function') done()
    return true
  }

  type(chunk: string): void {
    this.#chunks.push(chunk)
    this.emit('readable')
  }

  read(): string | null {
    const chunk = this.#chunks.shift() ?? null
    if (chunk !== null) this.emit('data', chunk)
    return chunk
  }

  setRawMode(): this {
    return this
  }

  setEncoding(): this {
    return this
  }

  ref(): void {}
  unref(): void {}
  pause(): void {}
}
