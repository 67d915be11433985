import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { DRIVERS } from '../../../../packages/hosts/src/canary/drivers/drivers.ts'
import type { Files } from '../../../../packages/hosts/src/canary/drivers/host-driver.ts'
import type { HostRun } from '../../../../packages/hosts/src/canary/run/run-program.ts'
import { DRIVERS as PROBED } from '../../drivers/drivers.ts'
import { DEFAULT, withGatedHost } from '../../rig/gated-host.ts'
import { NEWEST } from '../../rig/installed.ts'
import { createProbe } from '../../rig/probe.ts'
import type { HostName } from '../../rig/programs.ts'
import { runHost } from '../../rig/run-host.ts'
import { withWorld } from '../../rig/world.ts'

interface DenyRule {
  readonly host: HostName
  readonly rule: string
  readonly files?: Files
  readonly args?: readonly string[]
  readonly alone: 'runs' | 'refuses'
  readonly replaced: 'runs' | 'refuses'
  readonly gated: 'runs' | 'refuses'
}

const RULES: readonly DenyRule[] = parse(readFileSync(join(import.meta.dirname, '../../deny-rules.yaml'), 'utf8'))
const TOUCH = 'touch marker'

const fateOf = ({ markerExists, toolResults, output }: HostRun): string => {
  expect(toolResults.length, output).toBe(1)
  return markerExists ? 'runs' : 'refuses'
}

describe.each(RULES.flatMap((one) => NEWEST.filter(({ host }) => host === one.host).map((of) => ({ ...of, ...one }))))(
  '$host $version, a call that its own rule refuses ($rule)',
  ({ host, version, files = {}, args = [], alone, replaced, gated }) => {
    const setup = { version, files, args, turns: [{ calls: [DRIVERS[host].shellCall(TOUCH)] }] }

    it.concurrent(`${alone} without a hook`, () =>
      withWorld(async (world) => {
        expect(fateOf(await runHost(DRIVERS[host], { ...world, ...setup }))).toBe(alone)
      }))

    it.concurrent(`${replaced} when a hook has replaced it`, () =>
      withWorld(async (world) => {
        const driver = PROBED[host]
        const answer = driver.rewrite({ command: 'echo > marker', description: 'Replaced' })
        const probe = createProbe(driver, world.root, { [driver.gateEvent]: answer })
        const run = await runHost(driver, { ...world, ...setup, files: { ...files, ...probe.files('user') } })
        expect(fateOf(run)).toBe(replaced)
      }))

    it.concurrent(`${gated} behind the gate`, () =>
      withGatedHost({ host, version, way: 'without a service' }, { policy: DEFAULT }, async ({ start, decideAll }) => {
        const run = await decideAll(await start(setup), () => 'approve')
        expect(fateOf(run), run.toolResults[0]?.text).toBe(gated)
      }))
  },
)
