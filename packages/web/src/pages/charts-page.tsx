import { Safe, tookWords } from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Chart, type ChartSeries } from '../chart.tsx'
import { DECIDE_BOUNDS, decideCounts, type HourRow, hourRows, median } from '../chart-data.ts'
import { type Stats, service } from '../service.ts'

/** How much is decided, how fast, and what is refused. */
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
  const times = useMemo(() => hours.map((row) => row.at / 1000), [hours])
  const series = useMemo(() => seriesOf(hours), [hours])
  const tools = stats.tools.filter((row) => row.held > 0)
  const middle = median(stats.times)
  const approved = hours.reduce((sum, row) => sum + row.approved, 0)
  const rejected = hours.reduce((sum, row) => sum + row.rejected, 0)
  const expired = hours.reduce((sum, row) => sum + row.expired, 0)
  return (
    <>
      <section className="chart" aria-label="Decisions per hour">
        <h2 className="chart-title">Decisions per hour, last two days</h2>
        <p className="cs-dim">
          {approved} approved, {rejected} rejected, {expired} expired
        </p>
        <Chart
          label={`Decisions per hour: ${approved} approved, ${rejected} rejected, ${expired} expired in two days`}
          times={times}
          series={series}
        />
      </section>
      <section className="chart" aria-label="Time to decide">
        <h2 className="chart-title">Time to decide</h2>
        <p className="cs-dim">{middle === null ? 'nothing decided yet' : `half of all within ${tookWords(middle)}`}</p>
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
                <th scope="col">tool</th>
                <th scope="col">held</th>
                <th scope="col">rejected</th>
                <th scope="col">expired</th>
                <th scope="col">median</th>
              </tr>
            </thead>
            <tbody>
              {tools.map((row) => (
                <tr key={row.tool}>
                  <th scope="row">
                    <Safe text={row.tool} />
                  </th>
                  <td>{row.held}</td>
                  <td>{share(row.rejected, row.held)}</td>
                  <td>{share(row.expired, row.held)}</td>
                  <td>{row.medianMs === null ? '–' : tookWords(row.medianMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  )
}

function seriesOf(hours: readonly HourRow[]): readonly ChartSeries[] {
  return [
    { name: 'approved', colour: '--cs-low', values: hours.map((row) => row.approved) },
    { name: 'rejected', colour: '--cs-critical', values: hours.map((row) => row.rejected) },
    { name: 'expired', colour: '--cs-medium', values: hours.map((row) => row.expired) },
  ]
}

function share(count: number, of: number): string {
  return `${count} (${Math.round((100 * count) / Math.max(1, of))} %)`
}

function bucketWords(at: number): string {
  const bound = DECIDE_BOUNDS[at]
  return bound === undefined
    ? '5 min and more'
    : bound < 60_000
      ? `under ${bound / 1000} s`
      : `under ${bound / 60_000} min`
}
