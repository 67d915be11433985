/**
 * How many times longer one task takes than another, by the fastest run of each over interleaved turns, which excludes
 * other load. Repeats while the ratio is `enough` or more, since load only adds time and a true difference remains.
 * Compare tasks of similar duration: of two that differ, load interrupts the longer one more.
 */
export async function timesAsLong(
  long: () => unknown,
  short: () => unknown,
  enough: number,
  turns = 40,
): Promise<number> {
  let longest = Number.POSITIVE_INFINITY
  let shortest = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < turns; turn += 1) {
    shortest = Math.min(shortest, await spent(short))
    longest = Math.min(longest, await spent(long))
    if (turn >= 2 && longest / shortest < enough) break
  }
  return longest / shortest
}

async function spent(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Repeats work, so that it takes as long as one task of many times the size would if that were linear. */
export function over(times: number, work: () => unknown): () => Promise<void> {
  return async () => {
    for (let time = 0; time < times; time += 1) await work()
  }
}
