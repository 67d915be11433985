import { describe, expect, it } from 'vitest'
import { markedProcesses } from '../../../packages/hosts/src/canary/run/process-tree.ts'
import { DRIVERS } from '../drivers/drivers.ts'
import { INSTALLED } from '../rig/installed.ts'
import { createProbe } from '../rig/probe.ts'
import { MARKED_COMMAND, runHost, startHost } from '../rig/run-host.ts'
import { withWorld } from '../rig/world.ts'

const REASON = 'refused by the probe, number 4711'

describe.each(INSTALLED)('$host $version', ({ host, version }) => {
  const driver = DRIVERS[host]
  const markedCall = { version, turns: [{ calls: [driver.shellCall(MARKED_COMMAND)] }] }

  it.concurrent('runs a marked call once without a hook', () =>
    withWorld(async (world) => {
      const run = await runHost(driver, { ...world, ...markedCall })
      expect(run, run.output).toMatchObject({ ended: 'exited', exitCode: 0, markerRuns: 1 })
      expect(run.toolResults).toHaveLength(1)
    }))

  it.concurrent('does not run a call that a hook refuses, and tells the model why', () =>
    withWorld(async (world) => {
      const probe = createProbe(driver, world.root, { [driver.gateEvent]: driver.deny(REASON) })
      const run = await runHost(driver, { ...world, ...markedCall, files: probe.files('user') })
      expect(probe.events().filter(({ name }) => name === driver.gateEvent)).toHaveLength(1)
      expect(run.markerExists, run.output).toBe(false)
      expect(run.toolResults.map(({ text }) => text)).toEqual([expect.stringContaining(REASON)])
    }))

  it.concurrent('runs other arguments if a hook replaces them', () =>
    withWorld(async (world) => {
      const answer = driver.rewrite({ command: 'echo rewritten >> replaced', description: 'Replaced' })
      const probe = createProbe(driver, world.root, { [driver.gateEvent]: answer })
      const run = await runHost(driver, { ...world, ...markedCall, files: probe.files('user') })
      expect(run.markerExists, run.output).toBe(false)
      expect(run.readProject('replaced')).toBe('rewritten\n')
    }))

  it.concurrent('refuses each of three parallel calls', () =>
    withWorld(async (world) => {
      const probe = createProbe(driver, world.root, { [driver.gateEvent]: driver.deny(REASON) })
      const calls = ['a', 'b', 'c'].map((name) => driver.shellCall(`${MARKED_COMMAND} # ${name}`))
      const run = await runHost(driver, { ...world, version, turns: [{ calls }], files: probe.files('user') })
      expect(run.markerExists, run.output).toBe(false)
      expect(run.toolResults.filter(({ text }) => text.includes(REASON))).toHaveLength(3)
    }))

  it.concurrent('leaves no process behind when it is ended while its hook hangs', () =>
    withWorld(async (world) => {
      const probe = createProbe(driver, world.root, { [driver.gateEvent]: { hang: true } })
      const isHanging = () => probe.events().some(({ name }) => name === driver.gateEvent)
      const running = await startHost(driver, {
        ...world,
        ...markedCall,
        files: probe.files('user'),
        endWhen: isHanging,
      })
      const run = await running.finished
      expect(run.ended).toBe('ended')
      expect(isHanging()).toBe(true)
      expect(run.markerExists).toBe(false)
      expect(markedProcesses(running.mark)).toEqual([])
    }))
})
