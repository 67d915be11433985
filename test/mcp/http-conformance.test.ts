import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasServers, NO_SERVERS, runConformance, SETS, type SetName, totals } from './support/conformance.ts'
import { type HttpPeer, startHttpFixtureProcess, startHttpRelay } from './support/http-peers.ts'
import { openRelayHome, type RelayHome, STDIO_FIXTURE } from './support/relay-home.ts'
import { differences, type Pair } from './support/same-results.ts'
import { openStdioBridge } from './support/stdio-bridge.ts'

/** All of them, but for the tasks extension, which the SDK's servers do not have. */
const EXPECTED: Readonly<Record<SetName, number>> = {
  'stable active': 40,
  'draft active': 73,
  'requirements 2026-07-28': 170,
}

describe.runIf(hasServers())('the official scenarios over HTTP, directly and through the proxy', () => {
  let root: string
  let home: RelayHome
  let direct: HttpPeer
  let relayed: HttpPeer

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-mcp-')))
    home = openRelayHome(root)
    direct = await startHttpFixtureProcess()
    relayed = await startHttpRelay(home, 'fixture', direct.url)
  }, 120_000)

  afterAll(async () => {
    await relayed?.end()
    await direct?.end()
    await home?.close()
    rmSync(root, { recursive: true, force: true })
  }, 60_000)

  async function once(set: SetName): Promise<Pair> {
    const [one, two] = await Promise.all([runConformance(set, direct.url), runConformance(set, relayed.url)])
    return { direct: { results: one }, relayed: { results: two } }
  }

  for (const set of Object.keys(SETS) as SetName[])
    it(`${set}: the same checks in every scenario`, async () => {
      const { pair, different } = await differences(() => once(set))
      expect(different).toEqual([])
      expect(totals(pair.direct.results).passed).toBeGreaterThanOrEqual(EXPECTED[set])
    }, 300_000)

  it('from a pipe to an address: the same checks in every scenario as on a pipe', async () => {
    const pipe = await openStdioBridge({ argv: STDIO_FIXTURE })
    const bridged = await openStdioBridge(home.command(['--name', 'address', '--url', direct.url]))
    try {
      const { different } = await differences(async () => {
        const [one, two] = await Promise.all([
          runConformance('draft active', pipe.url),
          runConformance('draft active', bridged.url),
        ])
        return { direct: { results: one }, relayed: { results: two } }
      })
      expect(different).toEqual([])
    } finally {
      await pipe.close()
      await bridged.close()
    }
  }, 300_000)
})

it.skipIf(hasServers())(NO_SERVERS, () => {
  expect(hasServers()).toBe(false)
})
