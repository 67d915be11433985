import { type DiffHunk, type SafeText, safeText } from '@countersign/core'
import type { Style } from '../text/color.ts'
import { join, type Paragraph, type Rows, type StyledSpan } from '../text/rows.ts'

/** Styled spans for each line of code; null if not available (yet). */
export type Highlight = (path: string, lines: readonly SafeText[]) => readonly (readonly StyledSpan[])[] | null

/** Options for drawing a diff. */
export interface DiffLook {
  readonly split?: boolean
  readonly highlight?: Highlight
}

interface NumberedLine {
  readonly kind: DiffHunk['lines'][number]['kind']
  readonly oldLine: number
  readonly newLine: number
  readonly text: SafeText
}

const SIGNS = { added: '+', removed: '-', same: ' ' } as const
const STYLES: Readonly<Record<NumberedLine['kind'], Style>> = { added: 'green', removed: 'red', same: 'dim' }

/** A hunk with line numbers. */
export function hunkRows(hunk: DiffHunk, path: string, rows: Rows, { split, highlight }: DiffLook): void {
  const lines = numbered(hunk)
  const width = String(Math.max(hunk.oldStart, hunk.newStart) + hunk.lines.length).length
  const colours =
    highlight === undefined ? new Map<NumberedLine, readonly StyledSpan[]>() : colour(lines, path, highlight)
  const drawn = (line: NumberedLine, number: number): Paragraph => {
    const lead = `${String(number).padStart(width)} ${SIGNS[line.kind]} `
    const style = STYLES[line.kind]
    const text = join`${safeText(lead)}${line.text}`
    const spans = colours.get(line)
    if (spans === undefined) return { text, styles: [style] }
    const moved = spans.map((span) => ({ ...span, start: span.start + lead.length, end: span.end + lead.length }))
    return {
      text,
      styles: line.kind === 'same' ? ['dim'] : [],
      spans: [{ start: 0, end: lead.length, styles: [style] }, ...moved],
    }
  }
  if (split !== true) {
    rows.block(lines.map((line) => drawn(line, line.kind === 'removed' ? line.oldLine : line.newLine)))
    return
  }
  for (const [left, right] of pairs(lines))
    rows.pair(left && drawn(left, left.oldLine), right && drawn(right, right.newLine))
}

function numbered({ oldStart, newStart, lines }: DiffHunk): readonly NumberedLine[] {
  let [oldLine, newLine] = [oldStart, newStart]
  return lines.map(({ kind, text }) => {
    const line = { kind, oldLine, newLine, text: safeText(text) }
    if (kind !== 'added') oldLine += 1
    if (kind !== 'removed') newLine += 1
    return line
  })
}

/** Highlights old and new text separately: mixed, a changed quote would affect the next lines. */
function colour(
  lines: readonly NumberedLine[],
  path: string,
  highlight: Highlight,
): ReadonlyMap<NumberedLine, readonly StyledSpan[]> {
  const found = new Map<NumberedLine, readonly StyledSpan[]>()
  for (const left of ['removed', 'added'] as const) {
    const text = lines.filter(({ kind }) => kind !== left)
    const spans = highlight(
      path,
      text.map((line) => line.text),
    )
    if (spans !== null) for (const [at, line] of text.entries()) found.set(line, spans[at] ?? [])
  }
  return found
}

/** Pairs removed lines with the added lines that replace them. */
function* pairs(lines: readonly NumberedLine[]): Generator<readonly [NumberedLine | null, NumberedLine | null]> {
  let removed: NumberedLine[] = []
  let added: NumberedLine[] = []
  for (const line of [...lines, null]) {
    if (line?.kind === 'removed' && added.length === 0) removed.push(line)
    else if (line?.kind === 'added') added.push(line)
    else {
      for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
        yield [removed[at] ?? null, added[at] ?? null]
      removed = line?.kind === 'removed' ? [line] : []
      added = []
      if (line?.kind === 'same') yield [line, line]
    }
  }
}
