import { type Change, type Clock, type ClockDifference, CountersignError, type StoreClock } from '@countersign/core'
import type { Answer, Statement } from '../connection/client.ts'

/** Clocks set by the network differ by less than this. */
const DIFFERS_MS = 2000
/** One of the clocks is set wrong: no deadline means what people think it does. */
const TOO_FAR_MS = 60_000
/** What a clock gains or loses between two measurements is far less than this. */
const JUMPED_MS = 1000
/** Of several answers the fastest tells the most. A fast one is enough. */
const MOST_ANSWERS = 3
const FAST_MS = 100

const CLOCK: Statement = {
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  values: [],
}

export const SYSTEM_CLOCK = { now: () => Date.now(), monotonic: () => performance.now() }

/** Holding, deciding and starting depend on a deadline. What ends a call or records its outcome never does. */
export function usesDeadlines({ open, move, addGrant, useGrant }: Change): boolean {
  const isMoved = move !== undefined && move.to !== 'closed'
  return isMoved || open !== undefined || addGrant !== undefined || useGrant !== undefined
}

/** One look at the server's clock. */
interface Measured {
  readonly wall: number
  readonly monotonic: number
  readonly server: number
  readonly roundTripMs: number
}

/** The server's clock, measured at times and carried on by the machine's monotonic clock. */
export class ServerClock implements StoreClock {
  readonly #clock: Pick<Clock, 'now' | 'monotonic' | 'isSimulated'>
  readonly #read: (statements: readonly Statement[]) => Promise<readonly Answer[]>
  readonly #listeners = new Set<(difference: ClockDifference) => void>()
  #last: Measured | undefined
  #difference: ClockDifference = { kind: 'close', offsetMs: 0, roundTripMs: 0, jumpedMs: 0 }
  #measuring: Promise<void> | undefined

  constructor(
    clock: Pick<Clock, 'now' | 'monotonic' | 'isSimulated'>,
    read: (statements: readonly Statement[]) => Promise<readonly Answer[]>,
  ) {
    this.#clock = clock
    this.#read = read
  }

  now(): number {
    const last = this.#last
    if (last === undefined) return this.#clock.now()
    const passed = this.#clock.monotonic() - last.monotonic
    if (!this.#isJumped(last)) return Math.round(last.server + passed)
    void this.measure().catch(() => {}) // until then nothing is decided
    // The machine slept, or its clock was set: the later time ends deadlines, and lets nothing through.
    return Math.round(last.server + Math.max(passed, this.#clock.now() - last.wall))
  }

  difference(): ClockDifference {
    return this.#difference
  }

  onChange(listen: (difference: ClockDifference) => void): () => void {
    this.#listeners.add(listen)
    return () => this.#listeners.delete(listen)
  }

  /** Measures now. Callers at the same time share one measurement. */
  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined
    })
    return this.#measuring
  }

  /**
   * INVARIANT: L3, nothing is held, decided or started by a clock that is wrong or was not compared since it jumped.
   * @throws CS_CLOCK
   */
  async check(): Promise<void> {
    if (this.#last !== undefined && this.#isJumped(this.#last)) await this.measure()
    const { kind, offsetMs } = this.#difference
    if (kind !== 'too-far') return
    const seconds = Math.round(Math.abs(offsetMs) / 1000)
    const which = offsetMs > 0 ? 'behind' : 'ahead of'
    throw new CountersignError(
      'CS_CLOCK',
      `this machine’s clock is ${seconds} s ${which} the database’s; correct the wrong one, then run \`countersign store check\``,
    )
  }

  #isJumped({ wall, monotonic }: Measured): boolean {
    const passed = this.#clock.monotonic() - monotonic
    return Math.abs(this.#clock.now() - wall - passed) > JUMPED_MS
  }

  async #measure(): Promise<void> {
    if (this.#clock.isSimulated) return
    let best: Measured | undefined
    for (let count = 0; count < MOST_ANSWERS && (best?.roundTripMs ?? Infinity) > FAST_MS; count += 1) {
      const one = await this.#ask()
      if (one.roundTripMs < (best?.roundTripMs ?? Infinity)) best = one
    }
    if (best !== undefined) this.#take(best)
  }

  async #ask(): Promise<Measured> {
    const [wall, monotonic] = [this.#clock.now(), this.#clock.monotonic()]
    const [answer] = await this.#read([CLOCK])
    const roundTripMs = this.#clock.monotonic() - monotonic
    const ms = answer?.rows[0]?.['ms']
    if (typeof ms !== 'number')
      throw new CountersignError('CS_STORE_READ', 'the database did not tell its time; check the server and try again')
    // The server read its clock somewhere between: half way is off by half the round trip at most.
    return { wall, monotonic, server: ms - roundTripMs / 2, roundTripMs }
  }

  #take(measured: Measured): void {
    const before = this.#last
    const { wall, monotonic, server, roundTripMs } = measured
    const passed = before === undefined ? 0 : monotonic - before.monotonic
    const jumps =
      before === undefined
        ? []
        : [wall - before.wall - passed, server - before.server - passed].filter(
            (jump) => Math.abs(jump) > JUMPED_MS + roundTripMs + before.roundTripMs,
          )
    this.#last = measured
    const offsetMs = Math.round(server - wall)
    const certain = Math.abs(offsetMs) - roundTripMs / 2
    const kind = certain > TOO_FAR_MS ? 'too-far' : certain > DIFFERS_MS ? 'differs' : 'close'
    const isNews = kind !== this.#difference.kind || jumps.length > 0
    this.#difference = {
      kind,
      offsetMs,
      roundTripMs: Math.round(roundTripMs),
      jumpedMs: Math.round(jumps[0] ?? 0),
    }
    if (isNews) for (const listen of this.#listeners) listen(this.#difference)
  }
}
