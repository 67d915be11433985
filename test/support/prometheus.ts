/** One sample of Prometheus' text format. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/

/**
 * Reads Prometheus' text format (version 0.0.4) strictly: each metric has its help and type before its samples and together, no
 * series comes twice, and histograms add up. Throws at anything else.
 */
export function parsePrometheus(text: string): readonly Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const samples: Sample[] = []
  const types = new Map<string, string>()
  const series = new Set<string>()
  let current = ''
  let helped = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (keyword === 'HELP') {
      if (!NAME.test(name) || types.has(name)) throw new Error(`bad help: ${line}`)
      helped = name
    } else if (keyword === 'TYPE') {
      if (name !== helped || types.has(name)) throw new Error(`a type without its help: ${line}`)
      if (!['counter', 'gauge', 'histogram'].includes(rest)) throw new Error(`unknown type: ${line}`)
      types.set(name, rest)
      current = name
    } else {
      const sample = readSample(line)
      const base = types.get(current) === 'histogram' ? sample.name.replace(/_(bucket|sum|count)$/, '') : sample.name
      if (base !== current) throw new Error(`a sample outside its metric: ${line}`)
      const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`
      if (series.has(key)) throw new Error(`a series twice: ${line}`)
      series.add(key)
      samples.push(sample)
    }
  }
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, samples)
  return samples
}

function readSample(line: string): Sample {
  const [, name, inside = '', number = ''] = SAMPLE.exec(line) ?? []
  const value = Number(number)
  if (name === undefined || number === '' || Number.isNaN(value)) throw new Error(`not a sample: ${line}`)
  const labels: Record<string, string> = {}
  for (let rest = inside; rest !== ''; ) {
    const [all, label, text] = LABEL.exec(rest) ?? []
    if (all === undefined || label === undefined || label in labels) throw new Error(`bad labels: ${line}`)
    labels[label] = text ?? ''
    rest = rest.slice(all.length)
  }
  return { name, labels, value }
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  const without = ({ le: _, ...labels }: Readonly<Record<string, string>>): string => JSON.stringify(labels)
  for (const { labels, value: count } of samples.filter((one) => one.name === `${name}_count`)) {
    const buckets = samples.filter((one) => one.name === `${name}_bucket` && without(one.labels) === without(labels))
    const bounds = buckets.map(({ labels: { le = '' } }) => (le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)))
    const counts = buckets.map(({ value }) => value)
    const isRising = (list: readonly number[]) => list.every((one, at) => at === 0 || one >= (list[at - 1] ?? 0))
    if (!isRising(bounds) || !isRising(counts)) throw new Error(`buckets of ${name} are out of order`)
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY || counts.at(-1) !== count)
      throw new Error(`the last bucket of ${name} is not its count`)
  }
}

/** The value of one series; undefined if there is none. */
export function sampleOf(
  text: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = parsePrometheus(text).filter(
    (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  )
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}
