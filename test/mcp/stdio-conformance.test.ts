import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasServers, runConformance, SETS, type SetName, totals } from './support/conformance.ts'
import { type HttpPeer, startHttpFixtureProcess } from './support/http-peers.ts'
import { openRelayHome, type RelayHome, STDIO_FIXTURE } from './support/relay-home.ts'
import { type Compared, differences } from './support/same-results.ts'
import { openStdioBridge, type StdioBridge } from './support/stdio-bridge.ts'

/** Checks that pass on stdio; the other official checks are about HTTP. */
const EXPECTED: Readonly<Record<SetName, number>> = {
  'stable active': 38,
  'draft active': 71,
  'requirements 2026-07-28': 174,
}

describe.runIf(hasServers())(
  'the official scenarios on stdio, directly and through the proxy to stdio and to HTTP',
  () => {
    let home: RelayHome
    let root: string
    let fixture: HttpPeer
    let pipe: StdioBridge
    let relayed: StdioBridge
    let address: StdioBridge

    beforeAll(async () => {
      root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-mcp-')))
      home = openRelayHome(root)
      fixture = await startHttpFixtureProcess()
      pipe = await openStdioBridge({ argv: STDIO_FIXTURE })
      relayed = await openStdioBridge(home.relay('fixture', STDIO_FIXTURE))
      address = await openStdioBridge(home.command(['--name', 'address', '--url', fixture.url]))
    }, 120_000)

    afterAll(async () => {
      await Promise.all([pipe?.close(), relayed?.close(), address?.close()])
      await fixture?.end()
      await home?.close()
      rmSync(root, { recursive: true, force: true })
    }, 60_000)

    /** Messages are compared only between stdio servers, since the HTTP server words some differently. */
    async function once(set: SetName): Promise<Compared> {
      const before = [pipe.transcript.length, relayed.transcript.length] as const
      const [one, two, three] = await Promise.all(
        [pipe, relayed, address].map(async ({ url }) => ({ results: await runConformance(set, url) })),
      )
      if (one === undefined || two === undefined || three === undefined) throw new Error('a run is missing')
      return {
        direct: { ...one, transcript: pipe.transcript.slice(before[0]) },
        through: { pipe: { ...two, transcript: relayed.transcript.slice(before[1]) }, address: three },
      }
    }

    for (const set of Object.keys(SETS) as SetName[])
      it(`${set}: the same checks in every scenario, and the same messages`, async () => {
        const { direct, different } = await differences(() => once(set))
        expect(different).toEqual([])
        expect(totals(direct.results).passed).toBeGreaterThanOrEqual(EXPECTED[set])
      }, 300_000)
  },
)
