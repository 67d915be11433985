import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  hasServers,
  NO_SERVERS,
  type Results,
  runConformance,
  SETS,
  type SetName,
  totals,
} from './support/conformance.ts'
import { openRelayHome, type RelayHome, STDIO_FIXTURE } from './support/relay-home.ts'
import { differences, type Pair } from './support/same-results.ts'
import { openStdioBridge, type StdioBridge } from './support/stdio-bridge.ts'

/** What passes on a pipe: the rest of the official checks are about HTTP itself, or about tasks, which the SDK has not. */
const EXPECTED: Readonly<Record<SetName, number>> = {
  'stable active': 38,
  'draft active': 71,
  'requirements 2026-07-28': 147,
}

describe.runIf(hasServers())('the official scenarios on a pipe, directly and through the proxy', () => {
  let home: RelayHome
  let root: string
  let direct: StdioBridge
  let relayed: StdioBridge

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-mcp-')))
    home = openRelayHome(root)
    direct = await openStdioBridge({ argv: STDIO_FIXTURE })
    relayed = await openStdioBridge(home.relay('fixture', STDIO_FIXTURE))
  }, 120_000)

  afterAll(async () => {
    await direct?.close()
    await relayed?.close()
    await home?.close()
    rmSync(root, { recursive: true, force: true })
  }, 60_000)

  async function once(set: SetName): Promise<Pair> {
    const before = [direct.transcript.length, relayed.transcript.length] as const
    const results: readonly [Results, Results] = await Promise.all([
      runConformance(set, direct.url),
      runConformance(set, relayed.url),
    ])
    return {
      direct: { results: results[0], transcript: direct.transcript.slice(before[0]) },
      relayed: { results: results[1], transcript: relayed.transcript.slice(before[1]) },
    }
  }

  for (const set of Object.keys(SETS) as SetName[])
    it(`${set}: the same checks in every scenario, and the same messages`, async () => {
      const { pair, different } = await differences(() => once(set))
      expect(different).toEqual([])
      expect(totals(pair.direct.results).passed).toBeGreaterThanOrEqual(EXPECTED[set])
    }, 300_000)
})

it.skipIf(hasServers())(NO_SERVERS, () => {
  expect(hasServers()).toBe(false)
})
