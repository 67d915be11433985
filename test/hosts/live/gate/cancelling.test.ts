import { describe, expect, it } from 'vitest'
import { WAYS, withGatedHost } from '../../rig/gated-host.ts'
import { NEWEST } from '../../rig/installed.ts'
import { MARKED_COMMAND } from '../../rig/run-host.ts'

const ROWS = NEWEST.flatMap((one) =>
  WAYS.flatMap((way) => (['SIGINT', 'SIGTERM'] as const).map((signal) => ({ ...one, way, signal }))),
)
/** Gemini CLI ignores signals while a hook waits. */
const WAITS_ON: readonly string[] = ['gemini-cli']

describe.each(ROWS)('$host $version, $way', ({ signal, ...row }) => {
  it.concurrent(`does not run the held call after ${signal}`, () =>
    withGatedHost(row, {}, async ({ driver, start, held, decide, story }) => {
      const running = await start({ turns: [{ calls: [driver.shellCall(MARKED_COMMAND)] }] })
      await held()
      running.signal(signal)
      if (WAITS_ON.includes(row.host)) await decide({ kind: 'reject' })
      const run = await running.finished
      expect(run.markerExists, run.output).toBe(false)
      expect(await story(1)).toEqual([WAITS_ON.includes(row.host) ? ['reject', 'rejected'] : [null, 'withdrawn']])
    }))
})
