import { existsSync } from 'node:fs'
import { OUTCOMES, type Store } from '@countersign/core'
import { type LoadSize, loadServices } from '@countersign/testing/postgres/load'
import { firstMachine, joinMachine } from '@countersign/testing/postgres/machines'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { describe, expect, it } from 'vitest'

const POLICY = `version: 1
defaults: { timeout: 30m }
rules:
  - { id: ask-reads, kind: read, supervision: confirm }
`
const isFull = process.env['COUNTERSIGN_FULL'] !== undefined
const SIZE: LoadSize = isFull ? { held: 5_000, deciders: 100, ms: 60_000 } : { held: 500, deciders: 10, ms: 4_000 }
const ENDS: ReadonlySet<string> = new Set(OUTCOMES)

type Counts = Map<string, number>

/** How often the journal has an entry of each kind, by call. */
async function journalOf(store: Store) {
  const found = { held: new Map(), decided: new Map(), started: new Map(), ended: new Map() } satisfies Record<
    string,
    Counts
  >
  const count = (into: Counts, id: string) => into.set(id, (into.get(id) ?? 0) + 1)
  const { size } = await store.head()
  for (let from = 1; from <= size; from += 1_000) {
    for (const { line } of await store.entries(from, Math.min(size, from + 999))) {
      const { kind, call } = JSON.parse(line) as { readonly kind: string; readonly call: string | null }
      if (call === null) continue
      if (kind === 'held' || kind === 'decided' || kind === 'started') count(found[kind], call)
      if (ENDS.has(kind)) count(found.ended, call)
    }
  }
  return found
}

const repeated = (counts: Counts) => [...counts].filter(([, times]) => times !== 1)
const sorted = (ids: Iterable<string>) => [...ids].sort()

// Memory is read from /proc.
describe.skipIf(missingPostgres() ?? !existsSync('/proc/self/status'))('two services under load', () => {
  const server = usePostgres({ settings: ['shared_buffers=128MB'] })

  it(`lose no decision and run no call twice: ${SIZE.held} held calls, ${SIZE.deciders} deciders`, {
    timeout: 600_000,
  }, async () => {
    const { address, one } = await firstMachine(server.freshAddress(), POLICY)
    const two = await joinMachine(one, address, POLICY)
    const tally = await loadServices([one, two], SIZE)
    const { store } = (await two.open()).ports
    const journal = await journalOf(store)

    expect(tally.odd).toEqual([])
    expect(tally.approved.size).toBeGreaterThan(SIZE.deciders)
    for (const counts of [tally.approved, tally.rejected, tally.ran, tally.refused])
      expect(repeated(counts)).toEqual([])
    for (const counts of Object.values(journal)) expect(repeated(counts)).toEqual([])
    // Acknowledged, journaled, run: the same calls.
    expect(sorted(tally.ran.keys())).toEqual(sorted(tally.approved.keys()))
    expect(sorted(tally.refused.keys())).toEqual(sorted(tally.rejected.keys()))
    expect(sorted(journal.started.keys())).toEqual(sorted(tally.approved.keys()))
    expect(sorted(journal.decided.keys())).toEqual(sorted([...tally.approved.keys(), ...tally.rejected.keys()]))
    expect(sorted(journal.ended.keys())).toEqual(sorted(journal.held.keys()))
    expect(await store.calls({ state: ['held', 'ready', 'decided', 'started'] })).toEqual([])
    for (const { run } of [one, two]) {
      const verified = await run('journal', 'verify')
      expect(verified, verified.stderr).toMatchObject({ code: 0 })
    }
    report(tally, journal.held.size)
  })
})

/** Numbers that depend on the machine are printed, not asserted. */
function report(tally: Awaited<ReturnType<typeof loadServices>>, held: number): void {
  const decided = tally.approved.size + tally.rejected.size
  const ms = (samples: readonly number[], share: number) =>
    [...samples].sort((a, b) => a - b)[Math.floor(samples.length * share)]?.toFixed(0)
  const memory = [...tally.memory.values()].map((mb) => `${mb.toFixed(0)} MB`).join(' and ')
  console.log(
    `${held} calls held, ${decided} decided (${((decided * 1000) / SIZE.ms).toFixed(0)}/s), ${tally.late} too late; ` +
      `receipt p50 ${ms(tally.receipts, 0.5)} ms, p99 ${ms(tally.receipts, 0.99)} ms; ` +
      `queue p50 ${ms(tally.lists, 0.5)} ms, p99 ${ms(tally.lists, 0.99)} ms (${tally.lists.length}); services at most ${memory}`,
  )
}
