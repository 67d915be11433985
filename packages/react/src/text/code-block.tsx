import { byteWords, countedWords, type SafeText, sliceSafe } from '@countersign/core'
import { memo, type ReactNode, useMemo, useState } from 'react'
import { chunksOf, FoldButton, FoldEnd, HEAD, TAIL, WHOLE } from './fold.tsx'
import { JsonText } from './json-text.tsx'
import { Region } from './region.tsx'
import { MarkedText } from './safe-text.tsx'

/** Lines of untrusted text. A long text shows its first and last rows until it is expanded. */
export function CodeBlock({
  lines,
  label,
  strong = false,
  json = false,
}: {
  readonly lines: readonly SafeText[]
  readonly label: string
  readonly strong?: boolean
  /** The lines are JSON, shown with colors. */
  readonly json?: boolean
}): ReactNode {
  const rows = useMemo(() => textRows(lines), [lines])
  const [isOpen, setOpen] = useState(false)
  const isLong = rows.length > WHOLE
  const className = strong ? 'cs-code cs-code-strong' : 'cs-code'
  if (!isLong)
    return (
      <Region className={className} label={label}>
        <Chunk rows={rows} json={json} />
      </Region>
    )
  return (
    <Region className={className} label={label}>
      {isOpen ? (
        <Whole rows={rows} json={json} />
      ) : (
        <Folded rows={rows} lines={lines} json={json} open={() => setOpen(true)} />
      )}
    </Region>
  )
}

function Folded({
  rows,
  lines,
  json,
  open,
}: {
  readonly rows: readonly TextRow[]
  readonly lines: readonly SafeText[]
  readonly json: boolean
  readonly open: () => void
}): ReactNode {
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0)
  return (
    <>
      <Chunk rows={rows.slice(0, HEAD)} json={json} />
      <FoldButton
        hidden={rows.length - HEAD - TAIL}
        all={`${countedWords(lines.length, 'line')}, ${byteWords(size)}`}
        open={open}
      />
      <Chunk rows={rows.slice(-TAIL)} json={json} />
    </>
  )
}

/** All rows, rendered as they scroll into view. Counts as read once the end was visible. */
function Whole({ rows, json }: { readonly rows: readonly TextRow[]; readonly json: boolean }): ReactNode {
  const chunks = useMemo(() => chunksOf(rows), [rows])
  return (
    <>
      {chunks.map((chunk, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
        <Chunk key={at} rows={chunk} json={json} lazy />
      ))}
      <FoldEnd rows={rows.length} />
    </>
  )
}

/** Memoized: the countdown re-renders the card every second. */
const Chunk = memo(function Chunk({
  rows,
  json,
  lazy = false,
}: {
  readonly rows: readonly TextRow[]
  readonly json: boolean
  readonly lazy?: boolean
}): ReactNode {
  return (
    <pre className={lazy ? 'cs-chunk' : undefined}>
      {rows.map((row, at) =>
        row.kind === 'text' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of one text have no other name
          <span key={at}>
            {json && row.whole ? <JsonText text={row.text} /> : <MarkedText text={row.text} />}
            {'\n'}
          </span>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of one text have no other name
          <span key={at} className="cs-blank">{`${row.count} blank lines\n`}</span>
        ),
      )}
    </pre>
  )
})

/** A row of a long text, or the number of consecutive blank lines. */
type TextRow =
  | { readonly kind: 'text'; readonly text: SafeText; readonly whole: boolean }
  | { readonly kind: 'blank'; readonly count: number }

const LONGEST_ROW = 1_000
const FEW_BLANKS = 6

/**
 * Splits lines into rows of bounded length. SECURITY: A14 runs of blank lines are collapsed, since they could push the
 * rest out of sight.
 */
export function textRows(lines: readonly SafeText[]): readonly TextRow[] {
  const rows: TextRow[] = []
  let blanks = 0
  const flush = (): void => {
    if (blanks > FEW_BLANKS) rows.push({ kind: 'blank', count: blanks })
    else
      for (let at = 0; at < blanks; at += 1)
        rows.push({ kind: 'text', text: sliceSafe('' as SafeText, 0), whole: true })
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
      rows.push({ kind: 'text', text: sliceSafe(line, at, end), whole: at === 0 && end === line.length })
      at = end
    }
  }
  flush()
  return rows
}

/** An index that splits neither a surrogate pair, nor a mark, nor a marked run. */
function cutAt(line: SafeText, wanted: number): number {
  if (wanted >= line.length) return line.length
  const run = line.lastIndexOf('⟦RTL⟧', wanted)
  const after = run < 0 ? -1 : line.indexOf('⟦LTR⟧', run)
  if (run >= 0 && run < wanted && after + 5 > wanted) return after + 5
  const open = line.lastIndexOf('⟦', wanted)
  const close = line.indexOf('⟧', open)
  if (open >= 0 && open < wanted && close >= wanted && close - open < 12) return close + 1
  const code = line.charCodeAt(wanted)
  return code >= 0xdc00 && code <= 0xdfff ? wanted + 1 : wanted
}
