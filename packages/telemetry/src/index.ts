/**
 * What shows a gate at work, written by hand: a symbol is here because somebody outside needs it.
 * @module
 */

export { createLineWriter } from './log/line-writer.ts'
export { droppedLine, type LogFormat, logged } from './log/log.ts'
export { measured } from './metrics/measured.ts'
export { createPrometheusMeter, PROMETHEUS_TYPE, type PrometheusMeter, type ReadGauge } from './metrics/prometheus.ts'
export { openTelemetry, registeredTelemetry } from './opentelemetry/open-telemetry.ts'
