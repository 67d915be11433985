import { formatDateTime, formatElapsed, SafeTextView } from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { type Stats, service } from '../api/service.ts'
import { Chart, type ChartSeries } from '../charts/chart.tsx'
import { DECIDE_BOUNDS, decideCounts, type HourRow, hourRows, median } from '../charts/statistics.ts'

const HOUR_MS = 3_600_000

/** Charts of decisions per hour, decision times and refusals by tool. */
export function ChartsPage(): ReactNode {
  const stats = useQuery({ queryKey: ['stats'], queryFn: service.stats, staleTime: 30_000 })
  return (
    <div className="page">
      <h1 className="page-title">Charts</h1>
      {stats.error !== null && <p className="cs-bad">{stats.error.message}</p>}
      {stats.data !== undefined && <Charts stats={stats.data} />}
    </div>
  )
}

function Charts({ stats }: { readonly stats: Stats }): ReactNode {
  const hours = useMemo(() => hourRows(stats.hours, Date.now()), [stats])
  const counts = useMemo(() => decideCounts(stats.times), [stats])
  // Adds the end of the last hour, so that its step has a width.
  const times = useMemo(() => [...hours.map((row) => row.at), (hours.at(-1)?.at ?? 0) + HOUR_MS].map(seconds), [hours])
  const span = hours.length >= 48 ? 'two days' : `${hours.length} hours`
  const series = useMemo(() => seriesOf(hours), [hours])
  const tools = stats.tools.filter((row) => row.held > 0)
  const middle = median(stats.times)
  const approved = hours.reduce((sum, row) => sum + row.approved, 0)
  const rejected = hours.reduce((sum, row) => sum + row.rejected, 0)
  const expired = hours.reduce((sum, row) => sum + row.expired, 0)
  return (
    <>
      <section className="chart" aria-label="Decisions per hour">
        <h2 className="chart-title">Decisions per hour, last {span}</h2>
        <p className="cs-dim">
          {approved} approved, {rejected} rejected, {expired} expired
        </p>
        <Chart
          label={`Decisions per hour: ${approved} approved, ${rejected} rejected, ${expired} expired in the last ${span}`}
          times={times}
          series={series}
        />
        <HoursTable hours={hours} />
      </section>
      <section className="chart" aria-label="Time to decide">
        <h2 className="chart-title">Time to decide</h2>
        <p className="cs-dim">{middle === null ? 'No decisions yet' : `Median: ${formatElapsed(middle)}`}</p>
        <ol className="bars">
          {counts.map((count, at) => (
            <li key={bucketWords(at)}>
              <span>{bucketWords(at)}</span>
              <span className="bar" aria-hidden="true">
                <span style={{ width: `${(100 * count) / Math.max(1, ...counts)}%` }} />
              </span>
              <span>{count}</span>
            </li>
          ))}
        </ol>
      </section>
      <section className="chart" aria-label="By tool">
        <h2 className="chart-title">Rejected and expired, by tool</h2>
        <div className="table-frame">
          <table>
            <thead>
              <tr>
                <th scope="col">Tool</th> <th scope="col">Held</th> <th scope="col">Rejected</th>{' '}
                <th scope="col">Expired</th> <th scope="col">Median</th>
              </tr>
            </thead>
            <tbody>
              {tools.map((row) => (
                <tr key={row.tool}>
                  <th scope="row">
                    <Link href={`/history?tool=${encodeURIComponent(row.tool)}`}>
                      <SafeTextView text={row.tool} />
                    </Link>
                  </th>
                  <td>{row.held}</td>
                  <td>{share(row.rejected, row.held)}</td>
                  <td>{share(row.expired, row.held)}</td>
                  <td>{row.medianMs === null ? '–' : formatElapsed(row.medianMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <WorthAskingByRule rules={stats.rules} />
    </>
  )
}

/** What people said about the questions of each rule. */
function WorthAskingByRule({ rules }: { readonly rules: Stats['rules'] }): ReactNode {
  return (
    <section className="chart" aria-label="Worth asking">
      <h2 className="chart-title">Worth asking, by rule</h2>
      {rules.length === 0 ? (
        <p className="cs-dim">No answers yet. After a decision, the receipt asks whether it was worth asking.</p>
      ) : (
        <div className="table-frame">
          <table>
            <thead>
              <tr>
                <th scope="col">Rule</th> <th scope="col">Worth asking</th> <th scope="col">Not worth asking</th>
              </tr>
            </thead>
            <tbody>
              {rules.map(({ rule, worth, notWorth }) => (
                <tr key={rule}>
                  <th scope="row">
                    <SafeTextView text={rule} />
                  </th>
                  <td>{worth}</td>
                  <td>{share(notWorth, worth + notWorth)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

/** The chart as text for screen readers: hours with decisions. */
function HoursTable({ hours }: { readonly hours: readonly HourRow[] }): ReactNode {
  const busy = hours.filter((row) => row.approved + row.rejected + row.expired > 0)
  return (
    <ul className="cs-hidden" aria-label="Decisions by hour">
      {busy.map((row) => (
        <li key={row.at}>
          {formatDateTime(row.at)}: {row.approved} approved, {row.rejected} rejected, {row.expired} expired
        </li>
      ))}
    </ul>
  )
}

function seriesOf(hours: readonly HourRow[]): readonly ChartSeries[] {
  const values = (name: 'approved' | 'rejected' | 'expired') => [...hours, ...hours.slice(-1)].map((row) => row[name])
  return [
    { name: 'approved', colour: '--cs-low', values: values('approved') },
    { name: 'rejected', colour: '--cs-critical', values: values('rejected') },
    { name: 'expired', colour: '--cs-medium', values: values('expired') },
  ]
}

function seconds(ms: number): number {
  return ms / 1000
}

function share(count: number, of: number): string {
  return `${count} (${Math.round((100 * count) / Math.max(1, of))} %)`
}

function bucketWords(at: number): string {
  const bound = DECIDE_BOUNDS[at]
  return bound === undefined
    ? '5 min or more'
    : bound < 60_000
      ? `under ${bound / 1000} s`
      : `under ${bound / 60_000} min`
}
