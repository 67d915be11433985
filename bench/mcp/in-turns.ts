import { median } from '../interleave.ts'
import type { CallArgs, McpContender, Tool } from './contender.ts'

export interface McpTurns {
  /** Turns of every contender. */
  readonly reps: number
  /** Calls in one turn. */
  readonly calls: number
  readonly warm: number
}

/** The milliseconds of each contender in each turn, by name. */
export type TurnTimes = ReadonlyMap<string, readonly number[]>

/** Sequential calls: the median call of each turn, interleaved so that other load affects all contenders equally. */
export async function oneByOne(
  contenders: readonly McpContender[],
  args: CallArgs,
  { reps, calls, warm }: McpTurns,
  tool: Tool = 'read_text',
): Promise<TurnTimes> {
  return inTurns(contenders, reps, async (contender, warming) => {
    const times: number[] = []
    for (let count = 0; count < (warming ? warm : calls); count += 1) {
      const start = performance.now()
      await contender.call(args, tool)
      times.push(performance.now() - start)
    }
    return median(times)
  })
}

/** A constant number of calls in flight: the time per call of each turn. */
export async function inFlight(
  contenders: readonly McpContender[],
  width: number,
  { reps, calls, warm }: McpTurns,
): Promise<TurnTimes> {
  return inTurns(contenders, reps, async (contender, warming) => {
    let left = warming ? warm : calls
    const start = performance.now()
    await Promise.all(
      Array.from({ length: width }, async () => {
        while (left > 0) {
          left -= 1
          await contender.call({ message: 'in flight' })
        }
      }),
    )
    return (performance.now() - start) / calls
  })
}

async function inTurns(
  contenders: readonly McpContender[],
  reps: number,
  turn: (contender: McpContender, warming: boolean) => Promise<number>,
): Promise<TurnTimes> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
  for (const contender of contenders) await turn(contender, true)
  for (let rep = 0; rep < reps; rep += 1)
    for (const contender of contenders) times.get(contender.name)?.push(await turn(contender, false))
  return times
}

/** The median over turns of the difference between two contenders. */
export function added(times: TurnTimes, name: string, base: string): number {
  return pairwise(times, name, base, (one, other) => one - other)
}

/** The median over turns of the ratio of two contenders. */
export function ratio(times: TurnTimes, name: string, base: string): number {
  return pairwise(times, name, base, (one, other) => one / other)
}

function pairwise(
  times: TurnTimes,
  name: string,
  base: string,
  compare: (one: number, other: number) => number,
): number {
  const under = times.get(base) ?? []
  return median((times.get(name) ?? []).map((time, turn) => compare(time, under[turn] ?? Number.NaN)))
}
