import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { Measured, median } from '../interleave.ts'

/** A subject whose operations time themselves, so that their preparation does not count. */
export interface Subject {
  readonly name: string
  /** Runs once; returns nanoseconds. `warming`: the result is discarded. */
  once(warming: boolean): number | Promise<number>
}

export interface TurnOptions {
  /** At least ten. */
  readonly reps: number
  /** Operations per subject and turn: enough that rare events fall into every turn. */
  readonly turn: number
  /** Warm-up operations. */
  readonly warm: number
}

/** Two statistics of the same run; the second excludes rare events. */
export interface Turns {
  /** The mean of each turn: includes side effects such as SQLite's checkpoint every hundred calls. */
  readonly means: Measured
  /** The median operation of each turn. */
  readonly medians: Measured
}

/**
 * Measures a subject and the parts it is compared with, interleaved in one run, so that other load affects all of
 * them equally. The sum of the parts is `sum`.
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

/** The current time in nanoseconds. */
export function nanoseconds(): number {
  return performance.now() * 1e6
}
