/** One measurement. Trust ratios within one run, not absolute values: machines are shared and noisy. */
export interface BenchRow {
  readonly name: string
  readonly median: number
  readonly unit: 'ns' | 'ms' | 'MB' | '×' | 'calls'
  /** A comparison in words: `1.8× the floor`. */
  readonly ratio?: string
  readonly target?: string
  /** Whether the target was met; absent without a target. */
  readonly ok?: boolean
}

export interface BenchTable {
  readonly title: string
  readonly rows: readonly BenchRow[]
  readonly notes?: readonly string[]
}

/** A value with at most three significant digits: `336 ns`, `2.35 us`, `7.1 ms`. */
export function formatFigure(value: number, unit: BenchRow['unit']): string {
  if (unit === 'calls') return value.toLocaleString('en')
  if (unit !== 'ns') return `${digits(value)} ${unit}`
  if (value < 1_000) return `${digits(value)} ns`
  return value < 1_000_000 ? `${digits(value / 1_000)} us` : `${digits(value / 1_000_000)} ms`
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

const HEAD = ['', 'median', 'ratio', 'target', 'met'] as const

function cells(row: BenchRow): readonly string[] {
  const met = row.ok === undefined ? '' : row.ok ? 'yes' : 'NO'
  return [row.name, formatFigure(row.median, row.unit), row.ratio ?? '', row.target ?? '', met]
}

/** The table as aligned text for a terminal. */
export function formatText(table: BenchTable): string {
  const all = [HEAD, ...table.rows.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [table.title, ...lines, ...(table.notes ?? []).map((note) => `- ${note}`), ''].join('\n')
}

/** The table as Markdown, for RESULTS.md. */
export function formatMarkdown(table: BenchTable): string {
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`
  const rows = [line(HEAD), line(HEAD.map(() => '---')), ...table.rows.map((row) => line(cells(row)))]
  const notes = (table.notes ?? []).map((note) => `- ${note}`)
  return [`## ${table.title}`, '', ...rows, '', ...notes, ''].join('\n')
}
