import { type ReactNode, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

const HEIGHT = 220

/** A line of a chart. The colour is a CSS variable, so that it follows the theme. */
export interface ChartSeries {
  readonly name: string
  readonly colour: string
  readonly values: readonly number[]
}

/** A step chart over time on a canvas. Pages add the numbers as text for screen readers. */
export function Chart({
  label,
  times,
  series,
}: {
  readonly label: string
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
}): ReactNode {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    let plot: uPlot | undefined
    const draw = (): void => {
      plot?.destroy()
      plot = new uPlot(
        optionsFor(element, series),
        [times as number[], ...series.map((one) => one.values as number[])],
        element,
      )
    }
    const resize = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }))
    const theme = new MutationObserver(draw)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    draw()
    resize.observe(element)
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    dark.addEventListener('change', draw)
    return () => {
      resize.disconnect()
      theme.disconnect()
      dark.removeEventListener('change', draw)
      plot?.destroy()
    }
  }, [times, series])
  return (
    <>
      <div ref={frame} className="chart-frame" role="img" aria-label={label} />
      <ul className="legend" aria-hidden="true">
        {series.map((one) => (
          <li key={one.name} className={`legend-${one.name}`}>
            {one.name}
          </li>
        ))}
      </ul>
    </>
  )
}

function optionsFor(element: HTMLElement, series: readonly ChartSeries[]): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  const axis = { stroke: colour('--cs-dim'), grid: { stroke: colour('--cs-line'), width: 1 }, ticks: { show: false } }
  const steps = uPlot.paths.stepped?.({ align: 1 })
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    axes: [
      { ...axis, values: (_, at) => at.map(hourWords) },
      { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], size: 40 },
    ],
    scales: { y: { range: (_, __, most) => [0, Math.max(4, most)] } },
    series: [
      {},
      ...series.map((one) => ({
        label: one.name,
        stroke: colour(one.colour),
        width: 2,
        points: { show: false },
        ...(steps === undefined ? {} : { paths: steps }),
      })),
    ],
  }
}

const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** The hour, with the date at midnight. */
function hourWords(seconds: number): string {
  const time = HOUR.format(seconds * 1000)
  return time === '00:00' ? `${time}\n${DAY.format(seconds * 1000)}` : time
}
