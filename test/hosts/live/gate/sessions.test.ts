import { describe, expect, it } from 'vitest'
import { DEFAULT, WAYS, withGatedHost } from '../../rig/gated-host.ts'
import { NEWEST } from '../../rig/installed.ts'
import { MARKED_COMMAND } from '../../rig/run-host.ts'
import { subAgentTour } from '../../rig/tours.ts'

const ROWS = NEWEST.flatMap((one) => WAYS.map((way) => ({ ...one, way })))

describe.each(ROWS)('$host $version, $way', (row) => {
  it.concurrent('decides each of three parallel calls by itself', () =>
    withGatedHost(row, {}, async ({ driver, start, decideAll, story }) => {
      const calls = ['a', 'b', 'c'].map((name) => driver.shellCall(`echo ${name} >> marker-${name}`))
      const running = await start({ turns: [{ calls }] })
      const run = await decideAll(running, (request) => (request.includes('marker-b') ? 'reject' : 'approve'))
      const made = ['a', 'b', 'c'].map((name) => run.readProject(`marker-${name}`))
      expect(made, run.output).toEqual(['a\n', undefined, 'c\n'])
      expect((await story(3)).map(([decision]) => decision).sort()).toEqual(['approve', 'approve', 'reject'])
    }))

  it.concurrent('holds the call of a sub-agent', () =>
    withGatedHost(row, {}, async ({ start, decideAll, story }) => {
      const running = await start(subAgentTour(row.host, MARKED_COMMAND))
      // Starting a sub-agent may be asked for as well.
      const run = await decideAll(running, (request) => (request.includes(MARKED_COMMAND) ? 'reject' : 'approve'))
      expect(run.markerExists, run.output).toBe(false)
      expect(JSON.stringify(run.model.requests)).toContain('NOT EXECUTED (rejected)')
      expect(await story(1)).toContainEqual(['reject', 'rejected'])
    }))

  it.concurrent('records how a command ended', () =>
    withGatedHost(row, { policy: DEFAULT }, async ({ driver, run, story }) => {
      const turns = ['exit 0', 'exit 3'].map((end) => ({ calls: [driver.shellCall(`${MARKED_COMMAND}; ${end}`)] }))
      const ran = await run({ turns })
      expect(ran.markerRuns, ran.output).toBe(2)
      expect(await story(2)).toEqual([
        [null, 'completed'],
        [null, 'failed'],
      ])
    }))
})
