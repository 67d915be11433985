import { allTelemetry, CountersignError, type Telemetry } from '@countersign/core'
import { measured } from '../metrics/measured.ts'
import { otelMeter } from './otel-meter.ts'
import { otelTraces } from './otel-traces.ts'

/** The name of the tracer and the meter. */
const SCOPE = '@countersign/telemetry'

/**
 * Reports calls as spans and metrics to the OpenTelemetry SDK that this process has set up. Load the SDK first. Throws if
 * `@opentelemetry/api` is not installed.
 *
 * ```ts
 * const { gate } = await openGate({ home: 'gate-home', telemetry: await openTelemetry() })
 * ```
 */
export async function openTelemetry(): Promise<Telemetry> {
  const api = await import('@opentelemetry/api').catch((cause: unknown) => {
    throw new CountersignError('CS_USAGE', 'OpenTelemetry is not installed; run `npm install @opentelemetry/api`', {
      cause,
    })
  })
  return allTelemetry([otelTraces(api, SCOPE), measured(otelMeter(api, SCOPE))])
}

/** The same if an SDK is set up in this process; undefined otherwise. Loads nothing then. */
export async function registeredTelemetry(): Promise<Telemetry | undefined> {
  return REGISTRY in globalThis ? openTelemetry().catch(() => undefined) : undefined
}

/** Where every copy of the OpenTelemetry API of version 1 keeps what an SDK registered. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1')
