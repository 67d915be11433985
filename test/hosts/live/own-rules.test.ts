import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractOf, opencodePlugin } from '@countersign/hosts'
import { COMMAND } from '@countersign/testing/command/command'
import { spawnCli } from '@countersign/testing/command/spawn-cli'
import { describe, expect, it } from 'vitest'
import { DRIVERS } from '../drivers/drivers.ts'
import { type HostVersion, INSTALLED } from '../rig/installed.ts'
import { OWN_RULES, type OwnRule } from '../rig/own-rules.ts'
import type { HostName } from '../rig/programs.ts'
import { type HostRun, runHost } from '../rig/run-host.ts'
import { withWorld } from '../rig/world.ts'

const FILE = 'marker2'
/** Its own prompt would ask about the paths of Node and of our program, and nobody is there to answer. */
const ANY_PATH: Partial<Readonly<Record<HostName, readonly string[]>>> = { copilot: ['--allow-all-paths'] }

interface Gated {
  readonly run: HostRun
  /** What the gate wrote about the call before it ran. */
  readonly judged: string
  /** Whether the command ran. */
  readonly hasRun: boolean
}

/** Runs one command of the model behind the gate. */
function behindGate({ host, version }: HostVersion, rule: OwnRule, input = ''): Promise<Gated> {
  const driver = DRIVERS[host]
  return withWorld(async (world) => {
    const home = join(world.root, 'countersign')
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(join(home, 'policy.yaml'), 'version: 1\n', { mode: 0o600 })
    const words = [process.execPath, ...COMMAND, 'hook', host, '--home', home]
    const line = (event: string) => `${input}${[...words, event].map((word) => `'${word}'`).join(' ')}`
    const hooks =
      driver.hookKind === 'plugin'
        ? [{ event: driver.gateEvent, command: opencodePlugin(words) }]
        : contractOf(host).events.map(({ name }) => ({ event: name, command: line(name), timeoutSeconds: 240 }))
    const files = driver.hookFiles(hooks, 'user')
    const run = await runHost(driver, {
      ...world,
      version,
      turns: [{ calls: [driver.shellCall(`touch ${FILE}`)] }, { text: 'Done.' }],
      files: rule.files?.(files) ?? files,
      args: [...(ANY_PATH[host] ?? []), ...(rule.args ?? [])],
    })
    const { stdout } = await spawnCli(['journal', 'export', '--home', home], world.project)
    const judged = stdout.split('\n').find((entry) => entry.includes('"kind":"judged"')) ?? ''
    return { run, judged, hasRun: run.readProject(FILE) !== undefined }
  })
}

describe.each(INSTALLED)('$host $version', (program) => {
  it.concurrent('runs an allowed command in the sandbox', async () => {
    const { run, judged, hasRun } = await behindGate(program, {})
    expect(judged).toContain('"contain":{')
    expect(hasRun, run.output).toBe(true)
  })

  it.concurrent('sees an allowed command that its own rule denies, and does not run it', async () => {
    const { run, judged, hasRun } = await behindGate(program, OWN_RULES[program.host])
    expect(judged).toContain('"contain":null')
    expect(judged).toMatch(/"supervision":"(?:automatic|notify)"/)
    expect(judged).toContain('own rule `')
    expect(hasRun, run.output).toBe(false)
    expect(run.toolResults).toHaveLength(1)
  })
})

describe.each(INSTALLED.filter(({ host }) => contractOf(host).refusesByExit))('$host $version', (program) => {
  it.concurrent('obeys the refusal of an event that can’t be read', async () => {
    const { run, hasRun } = await behindGate(program, {}, "echo '{}' | ")
    expect(hasRun, run.output).toBe(false)
    expect(run.toolResults.map(({ text }) => text)).toEqual([expect.stringContaining('NOT EXECUTED')])
  })
})
