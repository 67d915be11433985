import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@countersign/testing/until'
import { describe, expect, it } from 'vitest'
import { DEFAULT, withGatedHost } from '../../rig/gated-host.ts'
import { NEWEST } from '../../rig/installed.ts'
import { MARKED_COMMAND } from '../../rig/run-host.ts'

const ROWS = NEWEST.map((one) => ({ ...one, way: 'with a service' as const }))

describe.each(ROWS)('$host $version, if the service is killed', (row) => {
  it.concurrent('while a call is held: refuses it', () =>
    withGatedHost(row, {}, async ({ driver, start, held, killService }) => {
      const running = await start({ turns: [{ calls: [driver.shellCall(MARKED_COMMAND)] }] })
      await held()
      await killService()
      const run = await running.finished
      expect(run.markerExists, run.output).toBe(false)
      expect(run.toolResults.map(({ text }) => text)).toEqual([expect.stringContaining('CS_SERVICE_GONE')])
    }))

  it.concurrent('before the call: holds it in the hook’s own process', () =>
    withGatedHost(row, {}, async ({ driver, start, decide, killService, story }) => {
      await killService()
      const running = await start({ turns: [{ calls: [driver.shellCall(MARKED_COMMAND)] }] })
      await decide({ kind: 'reject' })
      const run = await running.finished
      expect(run.markerExists, run.output).toBe(false)
      expect(await story(1)).toEqual([['reject', 'rejected']])
    }))

  it.concurrent('between two calls: the second runs in the sandbox all the same', () =>
    withGatedHost(row, { policy: DEFAULT }, async ({ driver, run, killService, story }) => {
      const call = driver.shellCall(MARKED_COMMAND)
      const turns = [
        { calls: [call] },
        () => {
          void killService()
          return { calls: [driver.shellCall(`${MARKED_COMMAND} # again`)] }
        },
      ]
      const ran = await run({ turns })
      expect(ran.markerRuns, ran.output).toBe(2)
      expect(await story(2)).toEqual([
        [null, 'completed'],
        [null, 'completed'],
      ])
    }))

  it.concurrent('after its answer: the approved call runs once', () =>
    withGatedHost(row, {}, async ({ driver, start, decide, killService, story, world }) => {
      const command = `echo > begun; sleep 3; ${MARKED_COMMAND}`
      const running = await start({ turns: [{ calls: [driver.shellCall(command)] }] })
      await decide({ kind: 'approve' })
      await until('the start of the command', () => existsSync(join(world.project, 'begun')))
      await killService()
      const run = await running.finished
      expect(run.markerRuns, run.output).toBe(1)
      expect(await story(1)).toEqual([['approve', expect.stringMatching(/^(completed|released|unknown)$/)]])
    }))
})
