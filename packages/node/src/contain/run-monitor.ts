import type { RunOptions } from '../process/run-command.ts'
import type { Limits } from './limits.ts'
import type { Excess } from './watch-limits.ts'

const TAIL_BYTES = 32 * 1024

/** Follows one run: passes its output on, keeps the end of it, and stops the run when a limit is passed. */
export class RunMonitor {
  readonly #abort = new AbortController()
  readonly #options: Pick<RunOptions, 'stdio' | 'onOutput'>
  readonly #mostBytes: number
  #tail: Buffer = Buffer.alloc(0)
  #bytes = 0
  #excess: Excess | null = null

  constructor(options: Pick<RunOptions, 'stdio' | 'onOutput' | 'signal'>, limits: Limits) {
    this.#options = options
    this.#mostBytes = limits.outputBytes
    options.signal?.addEventListener('abort', () => this.#abort.abort(), { once: true, signal: this.#abort.signal })
  }

  /** Aborted by the caller, or by a limit. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get excess(): Excess | null {
    return this.#excess
  }

  readonly onExcess = (what: Excess): void => {
    this.#excess ??= what
    this.#abort.abort()
  }

  readonly onOutput = (stream: 'stdout' | 'stderr', chunk: Buffer): void => {
    this.#bytes += chunk.length
    if (this.#bytes > this.#mostBytes) {
      this.onExcess('output')
      return
    }
    this.#tail = Buffer.concat([this.#tail.subarray(Math.max(0, this.#tail.length + chunk.length - TAIL_BYTES)), chunk])
    if (this.#options.onOutput !== undefined) this.#options.onOutput(stream, chunk)
    else if (this.#options.stdio === 'inherit') process[stream].write(chunk)
  }

  /** The last output, for looking for signs of the sandbox. */
  tail(): string {
    return this.#tail.subarray(-TAIL_BYTES).toString('utf8')
  }
}
