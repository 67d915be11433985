import type { Results } from './conformance.ts'
import type { Rpc } from './line-peer.ts'

/** One run of a set: its checks, and what was said on the pipe, where there is one. */
export interface Run {
  readonly results: Results
  readonly transcript?: readonly { readonly from: 'client' | 'server'; readonly message: Rpc }[]
}

export interface Pair {
  readonly direct: Run
  readonly relayed: Run
}

/** The suites have time limits of their own, which a busy machine can miss: what is different must be so every time. */
const TRIES = 3

/** What differs between the two runs, in every one of several tries. */
export async function differences(
  run: () => Promise<Pair>,
): Promise<{ readonly pair: Pair; readonly different: readonly string[] }> {
  let pair = await run()
  let different = differing(pair)
  for (let tries = 1; tries < TRIES && different.length > 0; tries += 1) {
    pair = await run()
    const again = new Set(differing(pair))
    different = different.filter((line) => again.has(line))
  }
  return { pair, different }
}

function differing({ direct, relayed }: Pair): readonly string[] {
  const scenarios = new Set([...direct.results.keys(), ...relayed.results.keys()])
  const checks = [...scenarios].flatMap((scenario) => {
    const [one, two] = [direct.results.get(scenario), relayed.results.get(scenario)]
    return JSON.stringify(one) === JSON.stringify(two) ? [] : [`${scenario}: ${one} is not ${two}`]
  })
  return [...checks, ...differingMessages(direct, relayed)]
}

/** Messages of the server that were said on one side more often than on the other; ids and order aside. */
function differingMessages(direct: Run, relayed: Run): readonly string[] {
  const counts = new Map<string, number>()
  for (const [run, step] of [
    [direct, 1],
    [relayed, -1],
  ] as const)
    for (const { from, message } of run.transcript ?? []) {
      if (from !== 'server') continue
      const text = plain(message)
      counts.set(text, (counts.get(text) ?? 0) + step)
    }
  return [...counts].flatMap(([text, count]) => (count === 0 ? [] : [`${count > 0 ? 'lost' : 'added'}: ${text}`]))
}

/** Without what is new every time: ids, and the sealed state of an exchange. */
function plain(message: Rpc): string {
  return JSON.stringify({ ...message, id: null })
    .replaceAll(/"requestState":"[^"]*"/g, '"requestState":"…"')
    .replaceAll(/"bridge-\d+"/g, '"…"')
}
