/**
 * How many times as long one piece of work takes as another, by the quickest of each over interleaved turns: what
 * they cost when nobody else has the processor. Looks again while the answer is `enough` or more, since a busy machine
 * only ever adds; a true difference stays however often it is looked at. Compare what should take about as long: of two
 * that differ, a busy machine interrupts the longer one more.
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

/** Work done several times over, so that it takes as long as one piece of many times the size would if that were linear. */
export function over(times: number, work: () => unknown): () => Promise<void> {
  return async () => {
    for (let time = 0; time < times; time += 1) await work()
  }
}
