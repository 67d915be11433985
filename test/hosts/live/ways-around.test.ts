import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { DRIVERS } from '../drivers/drivers.ts'
import type { Files, HostDriver } from '../drivers/host-driver.ts'
import { INSTALLED } from '../rig/installed.ts'
import { createProbe } from '../rig/probe.ts'
import { type HostName, PROGRAMS } from '../rig/programs.ts'
import { MARKED_COMMAND, runHost } from '../rig/run-host.ts'
import { type World, withWorld } from '../rig/world.ts'

interface WayAround {
  readonly host: HostName
  readonly way: string
  readonly files?: Files
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Arguments that the host is started without. */
  readonly without?: readonly string[]
  /** A shell command that another process runs between two calls of the session. */
  readonly during?: string
  readonly fate: 'runs' | 'refuses'
}

const WAYS: readonly WayAround[] = parse(readFileSync(join(import.meta.dirname, '../ways-around.yaml'), 'utf8'))
const isInstalled = ({ host }: WayAround): boolean =>
  INSTALLED.some((one) => one.host === host && one.version === PROGRAMS[host].versions[0])
const EARLIER = 'sleep 2'

/** Refuses the marked call only, and runs the command of another process at an earlier call. */
function hookWithSideEffect(driver: HostDriver, { during = 'true' }: WayAround): string {
  const { stdout = '' } = driver.deny('no')
  return `case "$(cat)" in *'${EARLIER}'*) ${during};; *'${MARKED_COMMAND}'*) printf '%s' '${stdout}';; esac`
}

function hookFiles(driver: HostDriver, world: World, way: WayAround): Files {
  const { gateEvent } = driver
  const probe = createProbe(driver, world.root, { [gateEvent]: driver.deny('no') })
  const command = way.during === undefined ? probe.command(gateEvent) : hookWithSideEffect(driver, way)
  return driver.hookFiles([{ event: gateEvent, command }], 'user')
}

function filled<T>(value: T, { project }: World): T {
  return JSON.parse(JSON.stringify(value).replaceAll('{project}', project))
}

describe('a working hook', () => {
  it.concurrent.for(WAYS.filter(isInstalled).map((way) => [`${way.host}, if ${way.way}: ${way.fate}`, way] as const))(
    'of %s',
    ([, way]) =>
      withWorld(async (world) => {
        const driver = DRIVERS[way.host]
        const { files = {}, env = {}, args = [], without = [] } = way
        const start: HostDriver['start'] = (origin, prompt) => {
          const usual = driver.start(origin, prompt)
          return { ...usual, args: usual.args.filter((arg) => !without.includes(arg)) }
        }
        const earlier = way.during === undefined ? [] : [{ calls: [driver.shellCall(EARLIER)] }]
        const run = await runHost(
          { ...driver, start },
          {
            ...world,
            version: PROGRAMS[way.host].versions[0] ?? '',
            turns: [...earlier, { calls: [driver.shellCall(MARKED_COMMAND)] }],
            files: { ...hookFiles(driver, world, way), ...filled(files, world) },
            env: filled(env, world),
            args,
          },
        )
        expect(run.toolResults.length, run.output).toBe(earlier.length + 1)
        expect(run.markerExists ? 'runs' : 'refuses').toBe(way.fate)
      }),
  )
})
