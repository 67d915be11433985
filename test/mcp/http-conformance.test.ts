import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasServers, runConformance, SETS, type SetName, totals } from './support/conformance.ts'
import { type HttpPeer, startHttpFixtureProcess, startHttpRelay } from './support/http-peers.ts'
import { openRelayHome, type RelayHome } from './support/relay-home.ts'
import { type Compared, differences } from './support/same-results.ts'

/** All checks. */
const EXPECTED: Readonly<Record<SetName, number>> = {
  'stable active': 40,
  'draft active': 73,
  'requirements 2026-07-28': 196,
}

describe.runIf(hasServers())('the official scenarios over HTTP, directly and through the proxy', () => {
  let root: string
  let home: RelayHome
  let fixture: HttpPeer
  let relayed: HttpPeer

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-mcp-')))
    home = openRelayHome(root)
    fixture = await startHttpFixtureProcess()
    relayed = await startHttpRelay(home, 'fixture', fixture.url)
  }, 120_000)

  afterAll(async () => {
    await relayed?.end()
    await fixture?.end()
    await home?.close()
    rmSync(root, { recursive: true, force: true })
  }, 60_000)

  async function once(set: SetName): Promise<Compared> {
    const [one, two] = await Promise.all([runConformance(set, fixture.url), runConformance(set, relayed.url)])
    return { direct: { results: one }, through: { http: { results: two } } }
  }

  for (const set of Object.keys(SETS) as SetName[])
    it(`${set}: the same checks in every scenario`, async () => {
      const { direct, different } = await differences(() => once(set))
      expect(different).toEqual([])
      expect(totals(direct.results).passed).toBeGreaterThanOrEqual(EXPECTED[set])
    }, 300_000)
})
