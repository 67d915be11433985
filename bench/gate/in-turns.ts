import { setImmediate as turnOfTheLoop } from 'node:timers/promises'

/** Something to measure that times itself, so that what only prepares it does not count. */
export interface Subject {
  readonly name: string
  /** Does it `times` times; gives the nanoseconds that took in all. `warming`: nobody looks at the figure. */
  run(times: number, warming: boolean): number | Promise<number>
}

export interface TurnOptions {
  /** At least ten. */
  readonly reps: number
  /** Operations of each subject in one turn: enough that what comes only now and then falls into every turn. */
  readonly turn: number
  /** Operations before anything counts: what is new is slow. */
  readonly warm: number
}

/**
 * Measures all subjects turn by turn in one run, so that a noisy neighbour hurts everyone alike. Gives nanoseconds per
 * operation, turn by turn, by name. A turn's figure is its mean: nothing that an operation causes is left out, such as
 * SQLite's copying its log back every hundred calls or so.
 */
export async function measureInTurns(
  subjects: readonly Subject[],
  { reps, turn, warm }: TurnOptions,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const samples = new Map<string, number[]>()
  for (const { name, run } of subjects) {
    samples.set(name, [])
    await run(warm, true)
  }
  for (let rep = 0; rep < reps; rep += 1) {
    for (const { name, run } of subjects) {
      await turnOfTheLoop()
      samples.get(name)?.push((await run(turn, false)) / turn)
    }
  }
  return samples
}

/** Nanoseconds now. */
export function nanoseconds(): number {
  return performance.now() * 1e6
}
