import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { median } from '../interleave.ts'

/** Something whose every operation is timed by itself, so that what prepares it does not count. */
export interface Subject {
  readonly name: string
  /** Does it once; gives the nanoseconds it took. */
  once(): number | Promise<number>
}

export interface TurnOptions {
  /** At least ten. */
  readonly reps: number
  /** Operations of each subject in one repetition. */
  readonly turn: number
  readonly warm: number
}

/**
 * Measures all subjects turn by turn in one run, so that a noisy neighbour hurts everyone alike. Gives the median over
 * the repetitions of each one's median operation, by name.
 */
export async function measureInTurns(
  subjects: readonly Subject[],
  { reps, turn, warm }: TurnOptions,
): Promise<ReadonlyMap<string, number>> {
  for (const subject of subjects) await timesOf(subject, warm)
  const medians = new Map<string, number[]>(subjects.map(({ name }) => [name, []]))
  for (let rep = 0; rep < reps; rep += 1) {
    for (const subject of subjects) medians.get(subject.name)?.push(median(await timesOf(subject, turn)))
  }
  return new Map([...medians].map(([name, samples]) => [name, median(samples)]))
}

async function timesOf(subject: Subject, count: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at += 1) {
    times.push(await subject.once())
    // A call comes from the event loop: what an earlier one left to do is done in between, and on nobody's account.
    await turnOfTheLoop()
  }
  return times
}

/** Nanoseconds now. */
export function nanoseconds(): number {
  return performance.now() * 1e6
}
