import { countedWords, displayWidth, type SafeText, safeText, wrapText } from '@countersign/core'
import type { Paint, Style } from './color.ts'

/** Builds painted rows for a width. */
export interface Rows {
  readonly lines: readonly string[]
  /** A wrapped paragraph, indented by `indent` columns. */
  text(text: SafeText, options?: { readonly indent?: number; readonly styles?: readonly Style[] }): void
  /** Paragraphs next to a label, or below it on narrow screens. */
  field(label: string, paragraphs: readonly Paragraph[]): void
  /** Lines of text, wrapped, each behind a gutter that the text cannot imitate. */
  block(lines: readonly Paragraph[], fold?: Fold): void
  /** Two texts side by side, each wrapped at half the width; null for an empty side. */
  pair(left: Paragraph | null, right: Paragraph | null): void
  /** Counts rows that were folded elsewhere. */
  folds(count: number): void
  /** Number of folded rows so far. */
  readonly folded: number
  /** Short items in a row, not broken in two. */
  items(items: readonly SafeText[], styles: readonly Style[]): void
  gap(): void
  /** Whether the last element was a field, so that no gap is needed. */
  readonly isAfterField: boolean
}

/** Rows of a long block to show at its start and end. INVARIANT: L5 the rows between are counted. */
export interface Fold {
  readonly head: number
  readonly tail: number
}

/** Safe text with its styles. */
export interface Paragraph {
  readonly text: SafeText
  readonly styles?: readonly Style[]
  /** Styled spans, sorted and not overlapping. */
  readonly spans?: readonly StyledSpan[]
}

/** A styled range of a text. */
export interface StyledSpan {
  readonly start: number
  readonly end: number
  readonly styles: readonly Style[]
}

const LABEL = 12
const NARROW = 60
const GUTTER = '  │ '
const SEAM = ' │ '
const BLANKS_SHOWN = 3

/** Joins safe texts. */
export function join(strings: TemplateStringsArray, ...pieces: readonly (SafeText | number)[]): SafeText {
  return strings.reduce((line, text, at) => line + String(pieces[at - 1] ?? '') + text) as SafeText
}

export function paragraph(text: string, ...styles: readonly Style[]): Paragraph {
  return { text: safeText(text), styles }
}

/** Creates rows for a width. `full` hints where folded text is shown in full; null folds nothing. */
export function createRows(columns: number, paint: Paint, full: string | null = 'see the details'): Rows {
  // Leaves the last column free: some terminals wrap a line that fills it.
  const width = Math.max(16, columns - 1)
  const lines: string[] = []
  let folded = 0
  let fieldEnd = -1

  function put(text: SafeText, lead: string, styles: readonly Style[] = [], spans: readonly StyledSpan[] = []): void {
    const before = paint(lead, 'dim')
    let at = 0
    for (const row of wrapText(text, Math.max(8, width - lead.length))) {
      lines.push(`${before}${paintSpans(row, at, { styles, spans }, paint)}`)
      at += row.length
    }
  }

  /** One side of a pair, with rows padded to the same width. */
  function side({ text, styles = [], spans = [] }: Paragraph, room: number): readonly string[] {
    let at = 0
    return wrapText(text, room).map((row) => {
      const painted = paintSpans(row, at, { styles, spans }, paint)
      at += row.length
      return `${painted}${' '.repeat(Math.max(0, room - displayWidth(row.trimEnd() as SafeText)))}`
    })
  }

  return {
    lines,
    text(text, { indent = 2, styles = [] } = {}) {
      put(text, ' '.repeat(indent), styles)
    },
    field(label, paragraphs) {
      const narrow = columns < NARROW
      if (narrow) lines.push(`  ${paint(label, 'dim')}`)
      const indent = ' '.repeat(narrow ? 4 : 2 + LABEL)
      const first = lines.length
      for (const { text, styles } of paragraphs) put(text, indent, styles)
      const row = lines[first]
      if (!narrow && row !== undefined) lines[first] = row.replace(indent, `  ${label.padEnd(LABEL)}`)
      fieldEnd = lines.length
    },
    block(paragraphs, fold) {
      const shown = [...collapseBlanks(paragraphs)]
      const columnsLeft = Math.max(8, width - GUTTER.length)
      const { head, middle, tail } =
        fold === undefined || full === null
          ? { head: shown, middle: null, tail: [] }
          : foldParagraphs(shown, fold, columnsLeft)
      for (const { text, styles, spans } of head) put(text, GUTTER, styles, spans)
      if (middle !== null) {
        folded += middle.rows
        const count = `⋯ ${countedWords(middle.rows, 'row')} (${countedWords(middle.characters, 'character')}) folded: ${full}`
        put(safeText(count), GUTTER, ['yellow'])
      }
      for (const { text, styles, spans } of tail) put(text, GUTTER, styles, spans)
    },
    pair(left, right) {
      const room = Math.max(8, Math.floor((width - GUTTER.length - SEAM.length) / 2))
      const one = left === null ? [] : side(left, room)
      const other = right === null ? [] : side(right, room)
      for (let at = 0; at < Math.max(one.length, other.length, 1); at += 1)
        lines.push(
          `${paint(GUTTER, 'dim')}${one[at] ?? ' '.repeat(room)}${paint(SEAM, 'dim')}${other[at] ?? ''}`.trimEnd(),
        )
    },
    folds(count) {
      folded += count
    },
    get folded() {
      return folded
    },
    get isAfterField() {
      return fieldEnd === lines.length
    },
    items(items, styles) {
      let row = ''
      for (const item of items) {
        const longer = row === '' ? item : `${row} · ${item}`
        if (row !== '' && longer.length + 2 > width) lines.push(`  ${paint(row, ...styles)}`)
        row = row !== '' && longer.length + 2 > width ? item : longer
      }
      lines.push(`  ${paint(row, ...styles)}`)
    },
    gap() {
      lines.push('')
    },
  }
}

/** SECURITY: A14 many blank lines must not push the end off the screen: they are counted instead. */
function* collapseBlanks(paragraphs: readonly Paragraph[]): Generator<Paragraph> {
  let run: Paragraph[] = []
  for (const one of [...paragraphs, null]) {
    if (one !== null && one.text.trim() === '') {
      run.push(one)
      continue
    }
    if (run.length <= BLANKS_SHOWN) yield* run
    else yield paragraph(`⋯ ${run.length} blank lines`, 'dim')
    run = []
    if (one !== null) yield one
  }
}

/** A folded block: start, end, and the number of rows between. */
interface Folded {
  readonly head: readonly Paragraph[]
  readonly middle: { readonly rows: number; readonly characters: number } | null
  readonly tail: readonly Paragraph[]
}

/** Folds a long block. SECURITY: A14 its end is always shown. */
function foldParagraphs(paragraphs: readonly Paragraph[], { head, tail }: Fold, columns: number): Folded {
  const rows: Paragraph[] = []
  const need = (text: Paragraph['text']): number => Math.max(1, Math.ceil(displayWidth(text) / columns))
  const total = paragraphs.reduce((sum, { text }) => sum + need(text), 0)
  // A few more rows are easier to read than a fold.
  if (total <= head + tail + 10) return { head: paragraphs, middle: null, tail: [] }
  for (const one of paragraphs) for (const text of wrapText(one.text, columns)) rows.push({ ...one, text })
  if (rows.length <= head + tail + 10) return { head: paragraphs, middle: null, tail: [] }
  const middle = rows.slice(head, rows.length - tail)
  return {
    head: rows.slice(0, head),
    middle: { rows: middle.length, characters: middle.reduce((sum, { text }) => sum + text.length, 0) },
    tail: rows.slice(rows.length - tail),
  }
}

/** Paints one row of a longer text that starts at `from`: spans first, `styles` elsewhere. */
export function paintSpans(
  row: string,
  from: number,
  { styles, spans }: { readonly styles: readonly Style[]; readonly spans: readonly StyledSpan[] },
  paint: Paint,
): string {
  const text = row.trimEnd()
  let painted = ''
  let at = 0
  for (const span of spans) {
    const start = Math.max(at, span.start - from)
    const end = Math.min(text.length, span.end - from)
    if (end <= start) continue
    painted += `${paint(text.slice(at, start), ...styles)}${paint(text.slice(start, end), ...span.styles)}`
    at = end
  }
  return `${painted}${paint(text.slice(at), ...styles)}`
}
