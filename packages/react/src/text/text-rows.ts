import { type SafeText, sliceSafe } from '@countersign/core'

/** A row of a long text, or a run of blank lines told by its length. */
export type TextRow =
  | { readonly kind: 'text'; readonly text: SafeText }
  | { readonly kind: 'blank'; readonly count: number }

const LONGEST_ROW = 1_000
const FEW_BLANKS = 6

/** Rows short enough to draw piece by piece. SECURITY: A14 many blank lines would push what follows out of sight. */
export function textRows(lines: readonly SafeText[]): readonly TextRow[] {
  const rows: TextRow[] = []
  let blanks = 0
  const flush = (): void => {
    if (blanks > FEW_BLANKS) rows.push({ kind: 'blank', count: blanks })
    else for (let at = 0; at < blanks; at += 1) rows.push({ kind: 'text', text: sliceSafe('' as SafeText, 0) })
    blanks = 0
  }
  for (const line of lines) {
    if (line.trim() === '') {
      blanks += 1
      continue
    }
    flush()
    for (let at = 0; at < line.length; ) {
      const end = cutAt(line, at + LONGEST_ROW)
      rows.push({ kind: 'text', text: sliceSafe(line, at, end) })
      at = end
    }
  }
  flush()
  return rows
}

/** A place to cut that splits neither a pair of surrogates nor a mark. */
function cutAt(line: SafeText, wanted: number): number {
  if (wanted >= line.length) return line.length
  const open = line.lastIndexOf('⟦', wanted)
  const close = line.indexOf('⟧', open)
  if (open >= 0 && open < wanted && close >= wanted && close - open < 12) return close + 1
  const code = line.charCodeAt(wanted)
  return code >= 0xdc00 && code <= 0xdfff ? wanted + 1 : wanted
}
