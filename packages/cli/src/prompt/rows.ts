import { type SafeText, safeText, wrapText } from '@countersign/core'
import type { Paint, Style } from '../color.ts'

/** Blocks of text laid out for a width, painted as they are made. */
export interface Rows {
  readonly lines: readonly string[]
  /** A paragraph: broken at the width, every row `indent` columns in. */
  text(text: SafeText, options?: { readonly indent?: number; readonly styles?: readonly Style[] }): void
  /** A paragraph under a label: beside it, or below it where the screen is narrow. */
  field(label: string, paragraphs: readonly Paragraph[]): void
  /** Lines as they are, broken at the width, each behind a gutter that nothing in them can imitate. */
  block(lines: readonly Paragraph[]): void
  /** Short items beside each other; none is broken in two. */
  items(items: readonly SafeText[], styles: readonly Style[]): void
  gap(): void
}

/** Safe text with its styles. */
export interface Paragraph {
  readonly text: SafeText
  readonly styles?: readonly Style[]
}

const LABEL = 12
const NARROW = 60
const GUTTER = '  │ '
const BLANKS_SHOWN = 3

/** Text that is ours, or was already made safe piece by piece. */
export function join(strings: TemplateStringsArray, ...pieces: readonly (SafeText | number)[]): SafeText {
  return strings.reduce((line, text, at) => line + String(pieces[at - 1] ?? '') + text) as SafeText
}

export function paragraph(text: string, ...styles: readonly Style[]): Paragraph {
  return { text: safeText(text), styles }
}

export function createRows(columns: number, paint: Paint): Rows {
  // The last column stays free: some terminals break a line that fills it.
  const width = Math.max(16, columns - 1)
  const lines: string[] = []

  function put(text: SafeText, lead: string, styles: readonly Style[] = []): void {
    const before = paint(lead, 'dim')
    for (const row of wrapText(text, Math.max(8, width - lead.length)))
      lines.push(`${before}${paint(row.trimEnd(), ...styles)}`)
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
    },
    block(paragraphs) {
      for (const { text, styles } of collapseBlanks(paragraphs)) put(text, GUTTER, styles)
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
