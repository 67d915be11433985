/** A contender: does its work `times` times. */
export interface Contender {
  readonly name: string
  run(times: number): void | Promise<void>
}

export interface InterleaveOptions {
  /** At least ten. */
  readonly reps?: number
  /** The target duration of one turn. */
  readonly turnMs?: number
  /** The warm-up duration of each contender. */
  readonly warmMs?: number
}

/**
 * Measures all contenders interleaved in one run, so that other load affects all of them equally.
 * Returns nanoseconds per operation, by name and turn.
 */
export async function interleave(contenders: readonly Contender[], options: InterleaveOptions = {}): Promise<Measured> {
  const { reps = 15, turnMs = 25, warmMs = 300 } = options
  const turns = []
  for (const contender of contenders) {
    turns.push({ contender, times: await calibrate(contender, turnMs, warmMs), samples: [] as number[] })
  }
  for (let rep = 0; rep < reps; rep += 1) {
    for (const { contender, times, samples } of turns) samples.push(await time(contender, times))
  }
  return new Measured(new Map(turns.map(({ contender, samples }) => [contender.name, samples])))
}

/** The results of one interleaved run. */
export class Measured {
  readonly #samples: ReadonlyMap<string, readonly number[]>

  constructor(samples: ReadonlyMap<string, readonly number[]>) {
    this.#samples = samples
  }

  /** The median nanoseconds of one operation; NaN for an unknown name. */
  median(name: string): number {
    return median(this.#samples.get(name) ?? [])
  }

  /** How many times longer `name` takes than `base`: the median of the ratios within each turn. */
  ratio(name: string, base: string): number {
    const under = this.#samples.get(base) ?? []
    return median((this.#samples.get(name) ?? []).map((sample, turn) => sample / (under[turn] ?? Number.NaN)))
  }
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** Warms a contender up and finds how many operations fill a turn. */
async function calibrate(contender: Contender, turnMs: number, warmMs: number): Promise<number> {
  const turn = turnMs * 1e6
  let times = 1
  for (let spent = 0; spent < warmMs * 1e6; ) {
    const took = (await time(contender, times)) * times
    spent += took
    if (took < turn / 2) times *= 2
    else if (took > turn * 2 && times > 1) times = Math.ceil(times / 2)
  }
  return Math.max(1, Math.round(turn / (await time(contender, times))))
}

async function time(contender: Contender, times: number): Promise<number> {
  const start = process.hrtime.bigint()
  const running = contender.run(times)
  if (running) await running
  return Number(process.hrtime.bigint() - start) / times
}
