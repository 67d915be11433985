import { describe, expect, it } from 'vitest'
import { DRIVERS } from '../drivers/drivers.ts'
import { INSTALLED } from '../rig/installed.ts'
import { createProbe } from '../rig/probe.ts'
import { recordedEvents, recordingOf, shapesOf, writeRecording } from '../rig/recorded-events.ts'
import { runHost } from '../rig/run-host.ts'
import { TOURS } from '../rig/tours.ts'
import { withWorld } from '../rig/world.ts'

/** Writes the recordings anew instead of comparing with them. */
const isRecording = process.env['COUNTERSIGN_RECORD'] === '1'

describe.each(INSTALLED)('$host $version', ({ host, version }) => {
  it('sends the recorded events', () =>
    withWorld(async (world) => {
      const driver = DRIVERS[host]
      const probe = createProbe(driver, world.root)
      const run = await runHost(driver, { ...world, version, ...TOURS[host], files: probe.files('user') })
      expect(run.ended, run.output).toBe('exited')
      const recording = recordingOf(probe.events(), world)
      if (isRecording) writeRecording(host, version, recording)
      else expect(shapesOf(recording)).toEqual(shapesOf(recordedEvents(host, version)))
    }))
})
