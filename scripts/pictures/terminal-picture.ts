/** Turns terminal output into an SVG: lines, colours, and redrawn lines. */

const CELL = { width: 8.4, height: 19 }
const MARGIN = { left: 18, top: 46, bottom: 18 }
const GROUND = '#10161d'
const INK = '#dfe7ef'
const COLORS: ReadonlyMap<number, string> = new Map([
  [31, '#ff8f87'],
  [32, '#7bd88f'],
  [33, '#f2c14e'],
  [34, '#82b1ff'],
  [35, '#d9a5f5'],
  [36, '#6fd3e0'],
  [90, '#8a97a5'],
])

interface Style {
  readonly color: string
  readonly bold: boolean
  readonly dim: boolean
  readonly inverse: boolean
}

interface Run {
  readonly text: string
  readonly style: Style
}

const PLAIN: Style = { color: INK, bold: false, dim: false, inverse: false }

/** The picture of a terminal with this text. It has its own background, for light and dark pages. */
export function terminalPicture(written: string, look: { readonly columns: number; readonly title: string }): string {
  const lines = screenOf(written)
  return windowPicture(
    { ...look, rows: lines.length },
    lines.flatMap((runs, row) => drawLine(runs, rowPlace(row))),
  )
}

/** The window of a terminal with this many columns and rows around the drawing. */
export function windowPicture(
  look: { readonly columns: number; readonly rows: number; readonly title: string },
  drawn: readonly string[],
): string {
  const width = Math.ceil(look.columns * CELL.width + 2 * MARGIN.left)
  const height = rowPlace(look.rows) + MARGIN.bottom
  const family = "ui-monospace, 'SF Mono', Menlo, 'DejaVu Sans Mono', monospace"
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="${family}" font-size="14">`,
    `<title id="title">${markup(look.title)}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${GROUND}"/>`,
    ...[COLORS.get(31), COLORS.get(33), COLORS.get(32)].map(
      (color, at) => `<circle cx="${24 + at * 18}" cy="20" r="5.5" fill="${color}"/>`,
    ),
    ...drawn,
    '</svg>',
  ].join('\n')}\n`
}

/** The baseline of a row. */
export function rowPlace(row: number): number {
  return MARGIN.top + row * CELL.height
}

/** One line at height 0. */
export function drawPainted(line: string): readonly string[] {
  return drawLine(runsOf(line), 0)
}

/** The final screen, without cleared lines. */
function screenOf(written: string): readonly (readonly Run[])[] {
  return written.split('\n').map((line) => runsOf(line.slice(line.lastIndexOf('\r') + 1).replaceAll('\x1b[2K', '')))
}

function runsOf(line: string): readonly Run[] {
  const runs: Run[] = []
  let style = PLAIN
  for (const piece of line.split(/(\x1b\[[\d;]*m)/)) {
    if (piece.startsWith('\x1b')) style = styled(style, piece.slice(2, -1))
    else if (piece !== '') runs.push({ text: piece, style })
  }
  return runs
}

function styled(before: Style, codes: string): Style {
  let style = before
  for (const code of codes.split(';')) style = withCode(style, Number(code))
  return style
}

function withCode(style: Style, code: number): Style {
  if (code === 0) return PLAIN
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 7) return { ...style, inverse: true }
  const color = COLORS.get(code)
  if (color === undefined) throw new Error(`unknown terminal code ${code}; add it to COLORS`)
  return { ...style, color }
}

function drawLine(runs: readonly Run[], y: number): readonly string[] {
  const drawn: string[] = []
  let column = 0
  for (const { text, style } of runs) {
    const cells = Array.from(text).length
    const x = round(MARGIN.left + column * CELL.width)
    const width = round(cells * CELL.width)
    if (style.inverse)
      drawn.push(`<rect x="${x}" y="${y - 14}" width="${width}" height="${CELL.height}" fill="${style.color}"/>`)
    drawn.push(...words(text, column, y, style))
    column += cells
  }
  return drawn
}

/** Runs of text without consecutive spaces, each at its own position: SVG readers treat spaces differently. */
function words(text: string, column: number, y: number, style: Style): readonly string[] {
  return [...text.matchAll(/\S+(?: \S+)*/g)].map((found) => {
    const before = Array.from(text.slice(0, found.index)).length
    const width = round(Array.from(found[0]).length * CELL.width)
    return word(found[0], round(MARGIN.left + (column + before) * CELL.width), y, style, width)
  })
}

/** Sets the length, so that glyph widths of other fonts do not move the text after it. */
function word(text: string, x: number, y: number, style: Style, width: number): string {
  const weight = style.bold ? ' font-weight="bold"' : ''
  const faint = style.dim ? ' opacity="0.72"' : ''
  const fill = style.inverse ? GROUND : style.color
  return `<text x="${x}" y="${y}" fill="${fill}" textLength="${width}" lengthAdjust="spacingAndGlyphs"${weight}${faint}>${markup(text)}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function markup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
