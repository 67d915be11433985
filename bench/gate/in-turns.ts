import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { Measured, median } from '../interleave.ts'

/** Something to measure whose operations time themselves, so that what only prepares them does not count. */
export interface Subject {
  readonly name: string
  /** Does it once; gives the nanoseconds it took. `warming`: nobody looks at the figure. */
  once(warming: boolean): number | Promise<number>
}

export interface TurnOptions {
  /** At least ten. */
  readonly reps: number
  /** Operations of each subject in one turn: enough that what comes only now and then falls into every turn. */
  readonly turn: number
  /** Operations before anything counts: what is new is slow. */
  readonly warm: number
}

/** The same run looked at in two ways; the second leaves out whatever comes only now and then. */
export interface Turns {
  /** Each turn by its mean: all that the operations cause, such as SQLite's copying its log back every hundred calls. */
  readonly means: Measured
  /** Each turn by its median operation. */
  readonly medians: Measured
}

/**
 * Measures a subject beside the parts it is compared with, turn by turn in one run, so that a noisy neighbour hurts
 * everyone alike. What the parts take together stands under `sum`.
 */
export async function measureInTurns(
  subject: Subject,
  parts: readonly Subject[],
  { reps, turn, warm }: TurnOptions,
): Promise<Turns> {
  const means = new Map<string, number[]>()
  const medians = new Map<string, number[]>()
  const add = (samples: Map<string, number[]>, name: string, sample: number): void => {
    samples.set(name, [...(samples.get(name) ?? []), sample])
  }
  for (const one of [subject, ...parts]) await timesOf(one, warm, true)
  for (let rep = 0; rep < reps; rep += 1) {
    let sum = 0
    let medianSum = 0
    for (const one of [subject, ...parts]) {
      await turnOfTheLoop()
      const times = await timesOf(one, turn, false)
      const mean = times.reduce((all, time) => all + time, 0) / turn
      add(means, one.name, mean)
      add(medians, one.name, median(times))
      if (one === subject) continue
      sum += mean
      medianSum += median(times)
    }
    add(means, 'sum', sum)
    add(medians, 'sum', medianSum)
  }
  return { means: new Measured(means), medians: new Measured(medians) }
}

async function timesOf(subject: Subject, count: number, warming: boolean): Promise<readonly number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at += 1) {
    const took = subject.once(warming)
    times.push(typeof took === 'number' ? took : await took)
  }
  return times
}

/** Nanoseconds now. */
export function nanoseconds(): number {
  return performance.now() * 1e6
}
