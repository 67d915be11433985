import { ERRORS, KINDS, OUTCOMES, SUPERVISIONS, TRACE_STEPS } from '@countersign/core'

/** The values of a label. INVARIANT: L10, closed sets: no name that an agent chooses makes another series. */
type LabelValues = readonly string[]

/** What one metric is called, counts, and is labelled with. */
export interface Metric {
  /** As OpenTelemetry has it. */
  readonly name: string
  /** As Prometheus has it: base units, `_total` for counters. */
  readonly prometheus: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly unit: string
  readonly help: string
  readonly labels: Readonly<Record<string, LabelValues>>
  /** Upper bounds of a histogram's buckets, in seconds. */
  readonly buckets?: readonly number[]
}

const STORE_OPERATIONS = [
  ...['commit', 'call', 'calls', 'grants', 'counted', 'changes', 'changedWorkspaces', 'head', 'entries'],
  ...['entriesOf', 'outlineOf', 'spans', 'checkpoints', 'saveCheckpoint'],
]

const QUICK = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const SLOW = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400]

/** Every metric of a gate. */
export const METRICS = {
  calls: {
    name: 'countersign.calls',
    prometheus: 'countersign_calls_total',
    kind: 'counter',
    unit: '{call}',
    help: 'Calls that were answered, by outcome.',
    labels: { outcome: OUTCOMES, kind: KINDS, supervision: SUPERVISIONS },
  },
  waiting: {
    name: 'countersign.calls.waiting',
    prometheus: 'countersign_waiting_calls',
    kind: 'gauge',
    unit: '{call}',
    help: 'Calls of this process that wait for a person now.',
    labels: {},
  },
  decisions: {
    name: 'countersign.decisions',
    prometheus: 'countersign_decisions_total',
    kind: 'counter',
    unit: '{decision}',
    help: 'Decisions handed in at the desks of this process, by what came of them.',
    labels: { result: ['approved', 'rejected', 'refused'] },
  },
  decisionTime: {
    name: 'countersign.decision.duration',
    prometheus: 'countersign_decision_seconds',
    kind: 'histogram',
    unit: 's',
    help: 'Time from holding a call until a person decided.',
    labels: {},
    buckets: SLOW,
  },
  stepTime: {
    name: 'countersign.step.duration',
    prometheus: 'countersign_step_seconds',
    kind: 'histogram',
    unit: 's',
    help: 'Time of each step of a call, but for waiting for a person.',
    labels: { step: TRACE_STEPS.filter((step) => step !== 'hold') },
    buckets: QUICK,
  },
  storeErrors: {
    name: 'countersign.store.errors',
    prometheus: 'countersign_store_errors_total',
    kind: 'counter',
    unit: '{error}',
    help: 'What the store failed to do; the calls it was for were refused.',
    labels: { operation: STORE_OPERATIONS, code: Object.keys(ERRORS).filter((code) => code.startsWith('CS_STORE')) },
  },
  lostOwners: {
    name: 'countersign.owners.lost',
    prometheus: 'countersign_lost_owners_total',
    kind: 'counter',
    unit: '{call}',
    help: 'Calls whose process died or lost its lease.',
    labels: { outcome: ['withdrawn', 'unknown'] },
  },
} as const satisfies Readonly<Record<string, Metric>>

/** The name of a metric in `METRICS`. */
export type MetricName = keyof typeof METRICS

/** The labels of one measurement. */
export type Labels = Readonly<Record<string, string>>

/** Takes measurements: adds to a counter or gauge, observes a value of a histogram. */
export interface Meter {
  measure(name: MetricName, value: number, labels: Labels): void
}

/** The label of a value outside the closed set. */
const OTHER = 'other'

/** The labels of each metric, with their values as sets: every step of a call looks here. */
const SETS: ReadonlyMap<MetricName, readonly (readonly [string, ReadonlySet<string>])[]> = new Map(
  Object.entries(METRICS).map(([name, { labels }]) => [
    name as MetricName,
    Object.entries(labels).map(([label, values]) => [label, new Set<string>(values)] as const),
  ]),
)

/** The labels of a metric, in order, each with a value of its closed set. */
export function boundLabels(name: MetricName, given: Labels): Labels {
  return Object.fromEntries((SETS.get(name) ?? []).map(([label, values]) => [label, bound(given[label], values)]))
}

/** The same as one text, which tells the series of a metric apart. */
export function seriesKey(name: MetricName, given: Labels): string {
  let key = ''
  for (const [label, values] of SETS.get(name) ?? []) key += `${bound(given[label], values)}\n`
  return key
}

function bound(value: string | undefined, values: ReadonlySet<string>): string {
  return value !== undefined && values.has(value) ? value : OTHER
}
