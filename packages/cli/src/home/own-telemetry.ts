import type { OpenOptions } from '@countersign/node'

/** What observes the gate of this process: the OpenTelemetry SDK that was loaded before it, if there is one. */
export async function ownTelemetry(): Promise<Pick<OpenOptions, 'telemetry'>> {
  if (!(REGISTRY in globalThis)) return {} // nothing is loaded where nobody observes
  const { registeredTelemetry } = await import('@countersign/telemetry')
  const telemetry = await registeredTelemetry()
  return telemetry === undefined ? {} : { telemetry }
}

/** Where an SDK registers itself. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1')
