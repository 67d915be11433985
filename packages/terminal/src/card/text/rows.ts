import { countedWords, displayWidth, type SafeText, safeText, wrapText } from '@countersign/core'
import type { Paint, Style } from './color.ts'

/** Blocks of text laid out for a width, painted as they are made. */
export interface Rows {
  readonly lines: readonly string[]
  /** A paragraph: broken at the width, every row `indent` columns in. */
  text(text: SafeText, options?: { readonly indent?: number; readonly styles?: readonly Style[] }): void
  /** A paragraph under a label: beside it, or below it where the screen is narrow. */
  field(label: string, paragraphs: readonly Paragraph[]): void
  /** Lines as they are, broken at the width, each behind a gutter that nothing in them can imitate. */
  block(lines: readonly Paragraph[], fold?: Fold): void
  /** Two texts beside each other, each broken at half the width; null leaves its side empty. */
  pair(left: Paragraph | null, right: Paragraph | null): void
  /** Says that something is folded which these rows do not have. */
  folds(count: number): void
  /** How much is folded so far; 0 when everything stands there. */
  readonly folded: number
  /** Short items beside each other; none is broken in two. */
  items(items: readonly SafeText[], styles: readonly Style[]): void
  gap(): void
  /** Whether the last thing put was a field: another may stand directly below it. */
  readonly isAfterField: boolean
}

/** How many rows of a long block are kept at its beginning and its end. INVARIANT: L5, what lies between is counted. */
export interface Fold {
  readonly head: number
  readonly tail: number
}

/** Safe text with its styles. */
export interface Paragraph {
  readonly text: SafeText
  readonly styles?: readonly Style[]
  /** Stretches with styles of their own, rising and apart; they colour, and change no character. */
  readonly spans?: readonly StyledSpan[]
}

/** A stretch of a text, by its offsets. */
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

/** Text that is ours, or was already made safe piece by piece. */
export function join(strings: TemplateStringsArray, ...pieces: readonly (SafeText | number)[]): SafeText {
  return strings.reduce((line, text, at) => line + String(pieces[at - 1] ?? '') + text) as SafeText
}

export function paragraph(text: string, ...styles: readonly Style[]): Paragraph {
  return { text: safeText(text), styles }
}

/** Rows for a width. `full` says where folded text stands in full; null folds nothing. */
export function createRows(columns: number, paint: Paint, full: string | null = 'see the details'): Rows {
  // The last column stays free: some terminals break a line that fills it.
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

  /** One side of a pair: its rows, each filled up to the same width. */
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

/** SECURITY: A14 a wall of empty lines must not push the end off the screen: it is counted instead. */
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

/** A long block in three: what stands at its ends, and how much lies between. */
interface Folded {
  readonly head: readonly Paragraph[]
  readonly middle: { readonly rows: number; readonly characters: number } | null
  readonly tail: readonly Paragraph[]
}

/** Folds what takes more rows than its beginning and end may have. SECURITY: A14 the end is always kept. */
function foldParagraphs(paragraphs: readonly Paragraph[], { head, tail }: Fold, columns: number): Folded {
  const rows: Paragraph[] = []
  const need = (text: Paragraph['text']): number => Math.max(1, Math.ceil(displayWidth(text) / columns))
  const total = paragraphs.reduce((sum, { text }) => sum + need(text), 0)
  // A few rows more are easier to read than a fold.
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

/** Paints one row of a longer text, of which it starts at `from`: spans where they are, the other styles elsewhere. */
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
