import { describe, expect, it } from 'vitest'
import { DRIVERS } from '../drivers/drivers.ts'
import { knownFate, knownFates, PROTECTIONS } from '../rig/dead-hook-table.ts'
import { failuresOf } from '../rig/dead-hooks.ts'
import { INSTALLED } from '../rig/installed.ts'
import { measureDeadHook } from '../rig/measure-dead-hook.ts'

const ROWS = INSTALLED.flatMap(({ host, version }) =>
  PROTECTIONS.flatMap((protection) => {
    const fates = knownFates(host, version, protection)
    return fates === undefined ? [] : [{ host, version, protection, fates }]
  }),
)

describe.each(ROWS)('with a failed hook, $protection, $host $version', ({ host, version, protection, fates }) => {
  it.concurrent.each(
    Object.entries(failuresOf(DRIVERS[host])).map(([name, failure]) => ({
      name,
      failure,
      fate: knownFate(fates, name) ?? 'an entry in dead-hooks.yaml',
    })),
  )('$fate: $name', async ({ failure, fate }) => {
    expect(await measureDeadHook(DRIVERS[host], version, failure, protection)).toBe(fate)
  })
})
