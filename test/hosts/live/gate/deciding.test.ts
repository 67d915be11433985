import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT, HOLD, WAYS, withGatedHost } from '../../rig/gated-host.ts'
import { INSTALLED, isNewest } from '../../rig/installed.ts'
import { MARKED_COMMAND } from '../../rig/run-host.ts'

const REASON = 'not today, number 4711'
/** The older version of each agent is driven one way only. */
const ROWS = INSTALLED.flatMap((one) => WAYS.map((way) => ({ ...one, way }))).filter(
  (row) => isNewest(row) || row.way === 'without a service',
)

describe.each(ROWS)('$host $version, $way', (row) => {
  it.concurrent('runs an approved call exactly once', () =>
    withGatedHost(row, {}, async ({ driver, start, decide, story, marker }) => {
      const running = await start({ turns: [{ calls: [driver.shellCall(MARKED_COMMAND)] }] })
      await decide({ kind: 'approve' }, () => expect(marker()).toBe(false))
      const run = await running.finished
      expect(run.markerRuns, run.output).toBe(1)
      expect(await story(1)).toEqual([['approve', expect.stringMatching(/^(completed|released|unknown)$/)]])
    }))

  it.concurrent('does not run a rejected call, and the model reads why', () =>
    withGatedHost(row, {}, async ({ driver, start, decide, story }) => {
      const running = await start({ turns: [{ calls: [driver.shellCall(MARKED_COMMAND)] }] })
      await decide({ kind: 'reject', reason: REASON })
      const run = await running.finished
      expect(run.markerExists, run.output).toBe(false)
      expect(run.toolResults.map(({ text }) => text)).toEqual([expect.stringContaining(REASON)])
      expect(await story(1)).toEqual([['reject', 'rejected']])
    }))

  it.concurrent('does not run a call that nobody answers in time', () =>
    withGatedHost(row, { policy: `${HOLD}defaults: { timeout: 2s }\n` }, async ({ driver, run, story }) => {
      const ran = await run({ turns: [{ calls: [driver.shellCall(MARKED_COMMAND)] }] })
      expect(ran.markerExists, ran.output).toBe(false)
      expect(ran.toolResults.map(({ text }) => text)).toEqual([expect.stringContaining('NOT EXECUTED (expired)')])
      expect(await story(1)).toEqual([[null, 'expired']])
    }))

  it.concurrent('runs the arguments as the person edited them', () =>
    withGatedHost(row, {}, async ({ driver, start, decide, story }) => {
      const running = await start({ turns: [{ calls: [driver.shellCall(MARKED_COMMAND)] }] })
      await decide({ kind: 'approve', edited: { command: 'echo edited >> replaced' } })
      const run = await running.finished
      expect(run.markerExists, run.output).toBe(false)
      expect(run.readProject('replaced'), run.output).toBe('edited\n')
      expect(await story(1)).toEqual([['approve', expect.stringMatching(/^(completed|released|unknown)$/)]])
    }))

  it.concurrent('runs what nobody is asked about in the sandbox', () =>
    withGatedHost(row, { policy: DEFAULT }, async ({ driver, run, story, world }) => {
      const outside = join(world.root, 'outside')
      const command = `${MARKED_COMMAND}; echo out > ${outside}`
      const ran = await run({ turns: [{ calls: [driver.shellCall(command)] }] })
      expect(ran.markerRuns, ran.output).toBe(1)
      expect(existsSync(outside)).toBe(false)
      expect(await story(1)).toEqual([[null, 'completed']])
    }))
})
