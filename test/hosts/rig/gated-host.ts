import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Decision, HeldCallView, Outcome } from '@countersign/core'
import { COMMAND } from '@countersign/testing/command/command'
import { startCli } from '@countersign/testing/command/spawn-cli'
import { until } from '@countersign/testing/until'
import { DRIVERS } from '../../../packages/hosts/src/canary/drivers/drivers.ts'
import type { HostDriver } from '../../../packages/hosts/src/canary/drivers/host-driver.ts'
import { type CanaryGate, openCanaryGate } from '../../../packages/hosts/src/canary/gate/canary-gate.ts'
import { type GatedPlace, putBehindGate } from '../../../packages/hosts/src/canary/gate/put-behind.ts'
import { type HostRun, MARKER, type RunningHost } from '../../../packages/hosts/src/canary/run/run-program.ts'
import type { HostVersion } from './installed.ts'
import { installedCommand } from './programs.ts'
import { type HostSetup, startHost } from './run-host.ts'
import { type World, withWorld } from './world.ts'

/** Holds every command that prints, and nothing else that the default policy would not hold. */
export const HOLD = `version: 1
rules:
  - { id: held, command: { program: echo }, supervision: confirm }
`
export const DEFAULT = 'version: 1\n'

export type Way = 'with a service' | 'without a service'
export const WAYS: readonly Way[] = ['with a service', 'without a service']

/** A real agent behind a gate of its own, set up as `countersign init` does it. */
export interface GatedHost {
  readonly world: World
  readonly driver: HostDriver
  readonly gate: CanaryGate
  /** Undefined without one. */
  readonly service: ChildProcess | undefined
  start(setup: Partial<HostSetup>): Promise<RunningHost>
  run(setup: Partial<HostSetup>): Promise<HostRun>
  /** The next held call. */
  held(): Promise<HeldCallView>
  /** Decides the next held call, after a look at it. */
  decide(decision: Decision, look?: () => void): Promise<void>
  /** Decides every call that is held until the run is over, by its request. */
  decideAll(running: RunningHost, decisionOn: (request: string) => Decision['kind']): Promise<HostRun>
  /** The decision and the outcome of each call, oldest first, once there are as many and none is open. */
  story(count: number): Promise<readonly Told[]>
  /** Whether the marked command has run. */
  marker(): boolean
  killService(): Promise<void>
}

type Told = readonly [decision: Decision['kind'] | null, outcome: Outcome]

/** Copilot CLI has rules of its own about paths outside of the project. */
const OWN_PATHS: Partial<Readonly<Record<HostVersion['host'], readonly string[]>>> = {
  copilot: ['--allow-all-paths'],
}

export interface GatedSetup {
  readonly policy?: string
  readonly place?: Partial<GatedPlace>
}

/** Runs with an agent behind the gate, and ends everything afterwards. */
export function withGatedHost<T>(
  { host, version, way }: HostVersion & { readonly way: Way },
  { policy = HOLD, place = {} }: GatedSetup,
  use: (gated: GatedHost) => Promise<T>,
): Promise<T> {
  return withWorld(async (world) => {
    const gate = await openCanaryGate(world.root, world.project, policy)
    const driver = DRIVERS[host]
    const service = way === 'with a service' ? await serve(gate, world) : undefined
    const prepare = () => putBehindGate({ ...placeOf({ host, version }, world, gate), ...place })
    const start = (setup: Partial<HostSetup>) =>
      startHost(driver, {
        ...world,
        version,
        turns: [],
        ...setup,
        args: [...(OWN_PATHS[host] ?? []), ...(setup.args ?? [])],
        prepare: async () => {
          await prepare()
          await setup.prepare?.()
        },
      })
    const running: RunningHost[] = []
    const held = () => until('a held call', async () => (await gate.held())[0], { withinMs: 120_000 })
    const decideOne = async (view: HeldCallView, decision: Decision): Promise<void> => {
      const receipt = await gate.decide(view, decision)
      if (!receipt.accepted) throw new Error(receipt.message)
    }
    const gated: GatedHost = {
      world,
      driver,
      gate,
      service,
      async start(setup) {
        const one = await start(setup)
        running.push(one)
        return one
      },
      run: async (setup) => (await gated.start(setup)).finished,
      held,
      async decide(decision, look) {
        const view = await held()
        look?.()
        await decideOne(view, decision)
      },
      async decideAll({ finished }, decisionOn) {
        const over = finished.then(
          () => true,
          () => true,
        )
        while (!(await Promise.race([over, pause(50, false)])))
          for (const view of await gate.held()) await gate.decide(view, { kind: decisionOn(view.request) })
        return finished
      },
      async story(count) {
        const calls = await until(
          `${count} closed calls`,
          async () => {
            const past = await gate.history()
            return past.length >= count && past.every(({ outcome }) => outcome !== null) ? past : undefined
          },
          { withinMs: 20_000 },
        )
        return calls.toReversed().map(({ decision, outcome }) => [decision?.kind ?? null, outcome ?? 'unknown'])
      },
      marker: () => existsSync(join(world.project, MARKER)),
      async killService() {
        const { promise, resolve } = Promise.withResolvers<void>()
        service?.once('exit', () => resolve())
        service?.kill('SIGKILL')
        await promise
      },
    }
    try {
      return await use(gated)
    } finally {
      for (const one of running) one.signal('SIGKILL')
      await Promise.allSettled(running.map(({ finished }) => finished))
      service?.kill('SIGKILL')
      await gate.close()
    }
  })
}

function placeOf({ host, version }: HostVersion, { home, project }: World, gate: CanaryGate): GatedPlace {
  const [program = '', script] = installedCommand(host, version) ?? []
  const env = { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) }
  return {
    host,
    program: script ?? program,
    version,
    machine: { accountHome: home, project, platform: process.platform, env },
    home: gate.home,
    launcher: [process.execPath, ...COMMAND],
  }
}

async function serve({ home }: CanaryGate, { project }: World): Promise<ChildProcess> {
  const child = startCli(['serve', '--home', home.dir, '--json', '--port', '0'], project)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  return child
}
