import type { ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'

/**
 * The connection of an asker in a web page: what the service writes goes into one long response, and what the page posts
 * is read. It ends with that response.
 */
export class PageStream extends Duplex {
  readonly #response: ServerResponse
  /** Posts that wait to be read. */
  #waiting: (() => void)[] = []

  constructor(response: ServerResponse) {
    super()
    this.#response = response
    response.once('close', () => this.destroy())
  }

  /** Hands in what the page posted. Resolves once more may come. */
  async post(bytes: Buffer): Promise<void> {
    if (this.destroyed || this.push(bytes)) return
    await new Promise<void>((more) => this.#waiting.push(more))
  }

  override _read(): void {
    for (const more of this.#waiting.splice(0)) more()
  }

  override _write(chunk: Buffer, _: string, done: (error?: Error | null) => void): void {
    if (this.#response.write(chunk)) {
      done()
      return
    }
    const go = (): void => {
      this.#response.off('drain', go)
      this.#response.off('close', go)
      done()
    }
    this.#response.on('drain', go).on('close', go)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#response.end(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this._read()
    this.#response.destroy()
    done(error)
  }
}
