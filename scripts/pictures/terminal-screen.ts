import { displayWidth, type SafeText } from '@countersign/core'

/** A terminal screen computed from a program's output. Supports the sequences that our programs use. */
export interface TerminalScreen {
  write(text: string): void
  resize(columns: number, rows: number): void
  /** The visible rows, without colours. */
  lines(): readonly string[]
  /** The visible rows with colours, as `ESC[…m`. */
  painted(): readonly string[]
  /** All rows: those that scrolled off, then the visible ones. */
  all(): string
}

interface Cell {
  readonly text: string
  readonly style: string
}

const BLANK: Cell = { text: ' ', style: '' }
/** One sequence or character: CSI, OSC and DCS up to their ends, a short escape, a character with its combining marks. */
const PIECE = /\x1b\[([?>=]?)([\d;:]*)([@-~])|\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|[\s\S]\p{M}*/gu
/** The start of an incomplete sequence. */
const OPEN = /\x1b(?:\[[?>=]?[\d;:]*|[\]P_^X][^\x07\x1b]*\x1b?)?$/

/** An empty screen. */
export function createTerminalScreen(size: { readonly columns: number; readonly rows: number }): TerminalScreen {
  let { columns, rows } = size
  let grid: Cell[][] = [[]]
  const gone: string[] = []
  let row = 0
  let column = 0
  let style = ''
  let rest = ''

  const lineAt = (at: number): Cell[] => {
    while (grid.length <= at) grid.push([])
    return grid[at] ?? []
  }

  function newline(): void {
    row += 1
    lineAt(row)
    if (row < rows) return
    gone.push(plain(grid.shift() ?? []))
    row = rows - 1
  }

  function put(text: string): void {
    const width = displayWidth(text as SafeText)
    if (width === 0) return
    if (column + width > columns) {
      newline()
      column = 0
    }
    const line = lineAt(row)
    while (line.length < column) line.push(BLANK)
    line[column] = { text, style }
    if (width === 2) line[column + 1] = { text: '', style }
    column += width
  }

  function eraseLine(how: number): void {
    const line = lineAt(row)
    if (how === 0) line.length = Math.min(line.length, column)
    else if (how === 2) line.length = 0
    else for (let at = 0; at <= Math.min(column, line.length - 1); at += 1) line[at] = BLANK
  }

  function erase(how: number): void {
    if (how === 0) {
      eraseLine(0)
      grid = grid.slice(0, row + 1)
    } else grid = how === 2 ? grid.map(() => []) : grid
  }

  function command(letter: string, codes: readonly number[]): void {
    const count = Math.max(1, codes[0] ?? 1)
    if (letter === 'A') row = Math.max(0, row - count)
    else if (letter === 'B') row = Math.min(rows - 1, row + count)
    else if (letter === 'C') column = Math.min(columns - 1, column + count)
    else if (letter === 'D') column = Math.max(0, column - count)
    else if (letter === 'E') [row, column] = [Math.min(rows - 1, row + count), 0]
    else if (letter === 'F') [row, column] = [Math.max(0, row - count), 0]
    else if (letter === 'G') column = count - 1
    else if (letter === 'H') [row, column] = [count - 1, Math.max(1, codes[1] ?? 1) - 1]
    else if (letter === 'J') erase(codes[0] ?? 0)
    else if (letter === 'K') eraseLine(codes[0] ?? 0)
  }

  return {
    write(text) {
      const whole = rest + text
      rest = OPEN.exec(whole)?.[0] ?? ''
      for (const [piece, mark, codes = '', letter] of whole.slice(0, whole.length - rest.length).matchAll(PIECE)) {
        if (letter === 'm') style = styleAfter(style, codes)
        else if (letter !== undefined && mark === '') command(letter, codes === '' ? [] : codes.split(';').map(Number))
        else if (piece === '\n') newline()
        else if (piece === '\r') column = 0
        else if (piece === '\b') column = Math.max(0, column - 1)
        else if (piece >= ' ' && piece !== '\x7f') put(piece)
      }
    },
    resize(newColumns, newRows) {
      columns = newColumns
      while (grid.length > newRows) {
        gone.push(plain(grid.shift() ?? []))
        row = Math.max(0, row - 1)
      }
      rows = newRows
    },
    lines: () => grid.map(plain),
    painted: () => grid.map(painted),
    all: () => [...gone, ...grid.map(plain)].join('\n'),
  }
}

function plain(line: readonly Cell[]): string {
  return line
    .map(({ text }) => text)
    .join('')
    .trimEnd()
}

function painted(line: readonly Cell[]): string {
  let text = ''
  let style = ''
  for (const cell of line) {
    if (cell.style !== style) text += `\x1b[0m${cell.style === '' ? '' : `\x1b[${cell.style}m`}`
    style = cell.style
    text += cell.text
  }
  return style === '' ? text : `${text}\x1b[0m`
}

/** Styles accumulate until reset; ending one style ends all, as ours are never nested. */
function styleAfter(style: string, codes: string): string {
  const last = codes.split(';').at(-1) ?? ''
  if (codes === '' || codes === '0' || /^(?:2[2-9]|39|49)$/.test(last)) return ''
  return style === '' ? codes : `${style};${codes}`
}
