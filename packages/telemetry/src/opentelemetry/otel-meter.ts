import { boundLabels, type Labels, METRICS, type Meter, type Metric, type MetricName } from '../metrics/metric.ts'

type Api = typeof import('@opentelemetry/api')

/** Measures with the instruments of OpenTelemetry. */
export function otelMeter({ metrics }: Pick<Api, 'metrics'>, scope: string): Meter {
  const meter = metrics.getMeter(scope)
  const take = new Map<MetricName, (value: number, labels: Labels) => void>()
  for (const name of Object.keys(METRICS) as MetricName[]) {
    const { name: called, kind, unit, help, buckets }: Metric = METRICS[name]
    const options = { description: help, unit }
    if (kind === 'histogram') {
      const explicitBucketBoundaries = [...(buckets ?? [])]
      const histogram = meter.createHistogram(called, { ...options, advice: { explicitBucketBoundaries } })
      take.set(name, (value, labels) => histogram.record(value, labels))
    } else {
      const counter =
        kind === 'counter' ? meter.createCounter(called, options) : meter.createUpDownCounter(called, options)
      take.set(name, (value, labels) => counter.add(value, labels))
    }
  }
  return {
    measure: (name, value, labels) => take.get(name)?.(value, boundLabels(name, labels)),
  }
}
