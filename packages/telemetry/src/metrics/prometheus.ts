import { boundLabels, type Labels, METRICS, type Meter, type Metric, type MetricName, seriesKey } from './metric.ts'

/** The content type of `text()`. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A gauge that is read when it is asked for. */
export interface ReadGauge {
  readonly prometheus: string
  readonly help: string
  readonly value: number
}

/** Keeps measurements, and writes them in Prometheus' text format. */
export interface PrometheusMeter extends Meter {
  /** `more` is written too. */
  text(more?: readonly ReadGauge[]): string
}

interface Series {
  readonly labels: Labels
  value: number
  /** Of a histogram: how many values each bucket has, and all. */
  readonly counts: number[]
  count: number
}

/** A meter without any measurements. */
export function createPrometheusMeter(): PrometheusMeter {
  const metrics = new Map<MetricName, Map<string, Series>>()

  function seriesOf(name: MetricName, given: Labels): Series {
    const all = metrics.get(name) ?? new Map<string, Series>()
    metrics.set(name, all)
    const key = seriesKey(name, given)
    const known = all.get(key)
    if (known !== undefined) return known
    const { buckets = [] }: Metric = METRICS[name]
    const series = { labels: boundLabels(name, given), value: 0, counts: buckets.map(() => 0), count: 0 }
    all.set(key, series)
    return series
  }

  return {
    measure(name, value, labels) {
      const series = seriesOf(name, labels)
      series.value += value
      series.count += 1
      const { buckets = [] }: Metric = METRICS[name]
      const bucket = buckets.findIndex((bound) => value <= bound)
      if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    },
    text(more = []) {
      const names = Object.keys(METRICS) as MetricName[]
      const own = names.flatMap((name) => linesOf(METRICS[name], [...(metrics.get(name)?.values() ?? [])]))
      const read = more.flatMap(({ prometheus, help, value }) => [
        ...head(prometheus, 'gauge', help),
        `${prometheus} ${value}`,
      ])
      return `${[...own, ...read].join('\n')}\n`
    },
  }
}

function linesOf(metric: Metric, found: readonly Series[]): readonly string[] {
  const { prometheus, kind, help, labels, buckets = [] } = metric
  // A metric without labels has its series from the start, so that nobody has to guess whether it is missing or 0.
  const isPlain = Object.keys(labels).length === 0 && kind !== 'histogram'
  const all = found.length === 0 && isPlain ? [{ labels: {}, value: 0, counts: [], count: 0 }] : found
  const samples = all.flatMap((series) => {
    if (kind !== 'histogram') return [`${prometheus}${labelText(series.labels)} ${series.value}`]
    let below = 0
    const rows = buckets.map((bound, at) => {
      below += series.counts[at] ?? 0
      return `${prometheus}_bucket${labelText({ ...series.labels, le: String(bound) })} ${below}`
    })
    return [
      ...rows,
      `${prometheus}_bucket${labelText({ ...series.labels, le: '+Inf' })} ${series.count}`,
      `${prometheus}_sum${labelText(series.labels)} ${series.value}`,
      `${prometheus}_count${labelText(series.labels)} ${series.count}`,
    ]
  })
  return [...head(prometheus, kind, help), ...samples]
}

function head(name: string, kind: Metric['kind'], help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`]
}

/** Every value is one of a closed set without characters that need an escape. */
function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
