import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GatedPlace } from '../../../../packages/hosts/src/canary/gate/put-behind.ts'
import { type Fate, knownFate, knownFates } from '../../rig/dead-hook-table.ts'
import { type GatedHost, withGatedHost } from '../../rig/gated-host.ts'
import { type HostVersion, INSTALLED } from '../../rig/installed.ts'
import { MARKED_COMMAND } from '../../rig/run-host.ts'

interface Dead {
  /** Its row of dead-hooks.yaml, if none of our processes runs. */
  readonly failure: string | null
  readonly place?: Partial<GatedPlace>
  prepare?(gated: GatedHost): void
}

const shell = (line: string): Partial<GatedPlace> => ({ launcher: ['/bin/sh', '-c', line] })

/** What can become of the command line that `init` writes. */
const DEAD: Readonly<Record<string, Dead>> = {
  'Node is gone': { failure: 'missing-program', place: { launcher: ['/nowhere/node', 'countersign.js'] } },
  'the program is gone': {
    failure: 'exit-1',
    place: { launcher: [process.execPath, '/nowhere/countersign.js'] },
  },
  'the program is killed': { failure: 'crash', place: shell('kill -9 $$') },
  'the program succeeds and prints nothing': { failure: 'silent', place: shell('exit 0') },
  'the program prints something else': { failure: 'plain-text', place: shell('echo garbage') },
  'the program is too slow': { failure: 'hang', place: { ...shell('exec sleep 100'), patienceS: 3 } },
  'the home is damaged': {
    failure: null,
    prepare: ({ gate }) => writeFileSync(join(gate.home.dir, 'sessions'), 'not a folder'),
  },
}

/** opencode’s plugin refuses whatever is not a whole answer, and waits as long as its hook runs. */
function fateOf({ host, version }: HostVersion, failure: string | null): Fate | undefined {
  if (failure === null) return 'refuses'
  if (host === 'opencode') return failure === 'hang' ? 'waits' : 'refuses'
  if (host === 'claude-code' && failure === 'hang') return fateIn(host, version, 'fail_closed', failure)
  return fateIn(host, version, 'guarded', failure)
}

function fateIn(host: HostVersion['host'], version: string, protection: 'guarded' | 'fail_closed', failure: string) {
  const fates = knownFates(host, version, protection)
  return fates === undefined ? undefined : knownFate(fates, failure)
}

const WAITING_MS = 15_000
const LINGER_MS = 2_000

describe.each(INSTALLED)('$host $version', (one) => {
  it.concurrent.each(
    Object.entries(DEAD).map(([name, dead]) => ({ name, dead, fate: fateOf(one, dead.failure) ?? 'unknown' })),
  )('$fate if $name', ({ dead: { place = {}, prepare }, fate }) =>
    withGatedHost({ ...one, way: 'without a service' }, { place }, async (gated) => {
      const { driver, run } = gated
      let asked = Number.POSITIVE_INFINITY
      let told = Number.POSITIVE_INFINITY
      const ran = await run({
        turns: [
          () => {
            asked = performance.now()
            return { calls: [driver.shellCall(MARKED_COMMAND)] }
          },
          () => {
            told = performance.now()
            return {}
          },
        ],
        prepare: () => prepare?.(gated),
        endWhen: () =>
          performance.now() - told > LINGER_MS || performance.now() - asked > (fate === 'waits' ? WAITING_MS : 120_000),
      })
      const became = ran.markerExists ? 'runs' : ran.toolResults.length > 0 ? 'refuses' : 'waits'
      expect(became, ran.output).toBe(fate)
    }),
  )
})
