import { describe, expect, it } from 'vitest'
import { DRIVERS } from './drivers/drivers.ts'
import { DEAD_HOOKS, FATES, knownFates, PROTECTIONS } from './rig/dead-hook-table.ts'
import { failuresOf } from './rig/dead-hooks.ts'
import { HOST_NAMES, PROGRAMS } from './rig/programs.ts'
import { recordedEvents } from './rig/recorded-events.ts'

const VERSIONS = HOST_NAMES.flatMap((host) => PROGRAMS[host].versions.map((version) => ({ host, version })))

describe.each(VERSIONS)('$host $version', ({ host, version }) => {
  const driver = DRIVERS[host]

  it('has one known fate for every failure of a hook', () => {
    const failures = Object.keys(failuresOf(driver)).sort()
    for (const protection of PROTECTIONS) {
      const fates = knownFates(host, version, protection)
      if (protection !== 'bare' && fates === undefined) continue
      expect(FATES.flatMap((fate) => fates?.[fate] ?? []).sort(), protection).toEqual(failures)
    }
    expect(Object.keys(DEAD_HOOKS.failures)).toEqual(expect.arrayContaining(failures))
  })

  it('has recorded events before and after a tool call, of the main agent and of a sub-agent', () => {
    const files = Object.keys(recordedEvents(host, version))
    const before = files.filter((file) => file.startsWith(driver.gateEvent))
    expect(before.some((file) => file.endsWith('-sub-agent'))).toBe(true)
    expect(before.some((file) => !file.endsWith('-sub-agent'))).toBe(true)
    expect(files.some((file) => /post|after/i.test(file) && file.endsWith('-failing'))).toBe(true)
  })

  it('has recordings without a path, time or id of the machine', () => {
    const text = JSON.stringify(recordedEvents(host, version))
    expect(text).not.toMatch(/\/tmp\/countersign|countersign-host/)
    expect(text.match(/\/home\/(?!you\b)\w+/g)).toBeNull()
    expect(text.match(/\b20\d\d-\d\d-\d\dT/g)?.filter((date) => date !== '2026-01-01T') ?? []).toEqual([])
    expect(text.match(/\b[0-9a-f]{8}-[0-9a-f]{4}-/g)?.filter((id) => id !== '00000000-0000-') ?? []).toEqual([])
  })
})
