import { allTelemetry, type Telemetry } from '@countersign/core'
import type { OpenedGate } from '@countersign/node'
import { createPrometheusMeter, measured, type ReadGauge, registeredTelemetry } from '@countersign/telemetry'
import { createReadiness, type Readiness } from './readiness.ts'

/** What shows the service at work. */
export interface Monitoring {
  ready(): Promise<Readiness>
  /** All metrics, in Prometheus' text format. */
  metrics(): Promise<string>
}

/** Observes every gate of the service: the metrics always, the rest where it is set up. */
export async function openTelemetryOf(given: Telemetry | undefined) {
  const meter = createPrometheusMeter()
  const registered = await registeredTelemetry()
  const parts = [
    measured(meter),
    ...(given === undefined ? [] : [given]),
    ...(registered === undefined ? [] : [registered]),
  ]
  return { meter, telemetry: allTelemetry(parts) }
}

const FRESH_MS = 1_000
const MOST_HELD = 10_000

/** Reads the state of the service. `main` is the gate of its desk. */
export function createMonitoring(
  meter: Pick<ReturnType<typeof createPrometheusMeter>, 'text'>,
  main: Pick<OpenedGate, 'gate' | 'ports'>,
): Monitoring {
  const ready = createReadiness(main)
  const { clock, store } = main.ports
  let known: Promise<number> | undefined
  let since = 0

  /** Calls held on this store, by whichever process. */
  function held(): Promise<number> {
    const now = clock.monotonic()
    if (known === undefined || now - since >= FRESH_MS) {
      known = store.calls({ state: 'held', limit: MOST_HELD, unsealed: true }).then(({ length }) => length)
      since = now
    }
    return known
  }

  return {
    ready,
    async metrics() {
      const readiness = await ready()
      const isReady: ReadGauge = {
        prometheus: 'countersign_ready',
        help: 'Whether the store, the policy and the key of the gate are there.',
        value: readiness === 'ok' ? 1 : 0,
      }
      const count = await held().catch(() => undefined)
      const heldNow: ReadGauge[] =
        count === undefined
          ? [] // the store can't be read, and a number would be wrong
          : [{ prometheus: 'countersign_held_calls', help: 'Calls on this store that are held now.', value: count }]
      return meter.text([isReady, ...heldNow])
    },
  }
}
