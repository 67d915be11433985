import { displayWidth, wrapText } from '@countersign/core'
import type { Fold, Paragraph } from './rows.ts'

/** A long block in three: what stands at its ends, and how much lies between. */
export interface Folded {
  readonly head: readonly Paragraph[]
  readonly middle: { readonly rows: number; readonly characters: number } | null
  readonly tail: readonly Paragraph[]
}

/** Folds what takes more rows than its beginning and end may have. SECURITY: A14 the end is always kept. */
export function foldParagraphs(paragraphs: readonly Paragraph[], { head, tail }: Fold, columns: number): Folded {
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
