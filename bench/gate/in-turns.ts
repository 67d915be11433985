import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { median } from '../interleave.ts'

/** Something to measure that times itself, so that what only prepares it does not count. */
export interface Subject {
  readonly name: string
  /** Does it `times` times; gives the nanoseconds that took in all. `warming`: nobody looks at the figure. */
  run(times: number, warming?: boolean): number | Promise<number>
}

export interface TurnOptions {
  /** At least ten. */
  readonly reps: number
  /** Operations of each subject in one turn: enough that what comes only now and then falls into every turn. */
  readonly turn: number
  readonly warm: number
}

/**
 * Measures all subjects turn by turn in one run, so that a noisy neighbour hurts everyone alike. A turn's figure is its
 * mean, so that nothing an operation causes is left out (SQLite copies its log back every hundred calls or so); gives
 * the median over the turns, in nanoseconds per operation, by name.
 */
export async function measureInTurns(
  subjects: readonly Subject[],
  { reps, turn, warm }: TurnOptions,
): Promise<ReadonlyMap<string, number>> {
  const means = new Map<string, number[]>()
  for (const subject of subjects) {
    await subject.run(warm, true)
    means.set(subject.name, [])
  }
  for (let rep = 0; rep < reps; rep += 1) {
    for (const subject of subjects) {
      await turnOfTheLoop()
      means.get(subject.name)?.push((await subject.run(turn)) / turn)
    }
  }
  return new Map([...means].map(([name, samples]) => [name, median(samples)]))
}

/** Nanoseconds now. */
export function nanoseconds(): number {
  return performance.now() * 1e6
}
