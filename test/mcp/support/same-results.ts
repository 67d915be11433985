import type { Results } from './conformance.ts'
import type { Rpc } from './line-peer.ts'

/** One run of a set: its checks, and its messages on stdio if any. */
export interface Run {
  readonly results: Results
  readonly transcript?: readonly { readonly from: 'client' | 'server'; readonly message: Rpc }[]
}

/** The same set directly and through the proxy, by transport. */
export interface Compared {
  readonly direct: Run
  readonly through: { readonly [way: string]: Run }
}

/** The suites have their own timeouts, which a busy machine can miss: only differences in every run count, and are printed. */
const TRIES = 3

/** Differences from the direct run that occur in every one of several tries. */
export async function differences(
  run: () => Promise<Compared>,
): Promise<{ readonly direct: Run; readonly different: readonly string[] }> {
  let compared = await run()
  let different = allDiffering(compared)
  for (let tries = 1; tries < TRIES && different.length > 0; tries += 1) {
    console.warn(`try ${tries} of ${TRIES} differed through the proxy, retrying:\n${different.join('\n')}`)
    compared = await run()
    const again = new Set(allDiffering(compared))
    different = different.filter((line) => again.has(line))
  }
  return { direct: compared.direct, different }
}

function allDiffering({ direct, through }: Compared): readonly string[] {
  return Object.entries(through).flatMap(([way, run]) => differing(direct, run).map((line) => `${way}: ${line}`))
}

function differing(direct: Run, relayed: Run): readonly string[] {
  const scenarios = new Set([...direct.results.keys(), ...relayed.results.keys()])
  const checks = [...scenarios].flatMap((scenario) => {
    const [one, two] = [direct.results.get(scenario), relayed.results.get(scenario)]
    return JSON.stringify(one) === JSON.stringify(two) ? [] : [`${scenario}: ${one} is not ${two}`]
  })
  return [...checks, ...differingMessages(direct, relayed)]
}

/** Server messages that occur more often on one side, regardless of ids and order. */
function differingMessages(direct: Run, relayed: Run): readonly string[] {
  if (relayed.transcript === undefined) return []
  const counts = new Map<string, number>()
  for (const [run, step] of [
    [direct, 1],
    [relayed, -1],
  ] as const)
    for (const { from, message } of run.transcript ?? []) {
      if (from !== 'server' || isPolled(message)) continue
      const text = plain(message)
      counts.set(text, (counts.get(text) ?? 0) + step)
    }
  return [...counts].flatMap(([text, count]) => (count === 0 ? [] : [`${count > 0 ? 'lost' : 'added'}: ${text}`]))
}

/** The status of a task depends on timing, and the number of polls on the client. */
function isPolled({ result }: Rpc): boolean {
  return result?.taskId !== undefined && result.resultType !== 'task'
}

/** Without values that change every time: ids, times, and the sealed request state. */
function plain(message: Rpc): string {
  return JSON.stringify({ ...message, id: null })
    .replaceAll(/"requestState":"[^"]*"/g, '"requestState":"…"')
    .replaceAll(/"(taskId|createdAt|lastUpdatedAt)":"[^"]*"/g, '"$1":"…"')
    .replaceAll(/"bridge-\d+"/g, '"…"')
}
