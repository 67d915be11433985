import { displayWidth, type SafeText, safeText, wrapText } from '@countersign/core'
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
  gap(): void
}

/** Safe text with its styles. */
export interface Paragraph {
  readonly text: SafeText
  readonly styles?: readonly Style[]
}

const LABEL = 9
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

  function put(text: SafeText, lead: string, follow: string, styles: readonly Style[] = []): void {
    const rows = wrapText(text, Math.max(8, width - displayWidth(lead as SafeText)))
    for (const [at, row] of rows.entries()) lines.push(`${at === 0 ? lead : follow}${paint(row, ...styles)}`)
  }

  return {
    lines,
    text(text, { indent = 2, styles = [] } = {}) {
      const lead = ' '.repeat(indent)
      put(text, lead, lead, styles)
    },
    field(label, paragraphs) {
      const narrow = columns < NARROW
      if (narrow) lines.push(`  ${paint(label, 'dim')}`)
      const indent = ' '.repeat(narrow ? 4 : 2 + LABEL)
      for (const [at, { text, styles }] of paragraphs.entries()) {
        const row = lines.length
        put(text, indent, indent, styles)
        if (at === 0 && !narrow) lines[row] = `  ${paint(label.padEnd(LABEL), 'dim')}${(lines[row] ?? '').slice(indent.length)}`
      }
    },
    block(paragraphs) {
      for (const { text, styles } of collapseBlanks(paragraphs)) put(text, paint(GUTTER, 'dim'), paint(GUTTER, 'dim'), styles)
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
