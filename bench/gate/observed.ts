import type { Call, Telemetry } from '@countersign/core'
import { createPrometheusMeter, logged, measured, openTelemetry } from '@countersign/telemetry'
import { trace } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import type { BenchRow } from '../table.ts'
import { compared } from './compared.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from './in-turns.ts'
import { openStage, type Stage } from './stage.ts'

const CALL: Call = { tool: 'read_file', args: { path: 'src/index.ts' } }
const TURN = 200

/** An SDK that records every span and drops it. */
async function tracing(): Promise<Telemetry> {
  trace.setGlobalTracerProvider(new TracerProvider())
  return openTelemetry()
}

const OBSERVERS: readonly (readonly [string, () => Telemetry | Promise<Telemetry>])[] = [
  ['Prometheus', () => measured(createPrometheusMeter())],
  ['a JSON log', () => logged('json', () => {})],
  ['OpenTelemetry spans and metrics', tracing],
]

/** The same automatic call on a gate with an observer and on one without. */
export async function benchObserved(options: Omit<TurnOptions, 'turn'>): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [name, open] of OBSERVERS) {
    const [plain, seen] = [await openStage(), await openStage({ telemetry: await open() })]
    try {
      const turns = await measureInTurns(once('observed', seen), [once('plain', plain)], { ...options, turn: TURN })
      if (rows.length === 0) rows.push({ name: 'without an observer', median: turns.means.median('plain'), unit: 'ns' })
      rows.push(...compared(turns, { key: 'observed', name, floor: 'without', most: undefined }))
    } finally {
      await plain.close()
      await seen.close()
    }
  }
  return rows
}

function once(name: string, { gate }: Stage): Subject {
  return {
    name,
    async once() {
      const start = nanoseconds()
      const { kind } = await gate.run(CALL, () => undefined)
      const took = nanoseconds() - start
      if (kind !== 'completed') throw new Error('the call did not run automatically')
      return took
    },
  }
}
