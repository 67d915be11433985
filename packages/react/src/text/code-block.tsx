import { byteWords, countedWords, type SafeText } from '@countersign/core'
import { memo, type ReactNode, useMemo, useState } from 'react'
import { chunksOf, FoldButton, FoldEnd, HEAD, TAIL, WHOLE } from './fold.tsx'
import { Region } from './region.tsx'
import { Marked } from './safe-text.tsx'
import { type TextRow, textRows } from './text-rows.ts'

/** Lines of untrusted text. A long one shows its beginning, its end and how much is between, until it is opened. */
export function CodeBlock({
  lines,
  label,
  strong = false,
}: {
  readonly lines: readonly SafeText[]
  readonly label: string
  readonly strong?: boolean
}): ReactNode {
  const rows = useMemo(() => textRows(lines), [lines])
  const [isOpen, setOpen] = useState(false)
  const isLong = rows.length > WHOLE
  const className = strong ? 'cs-code cs-code-strong' : 'cs-code'
  if (!isLong)
    return (
      <Region className={className} label={label}>
        <Chunk rows={rows} />
      </Region>
    )
  return (
    <Region className={className} label={label}>
      {isOpen ? <Whole rows={rows} /> : <Folded rows={rows} lines={lines} open={() => setOpen(true)} />}
    </Region>
  )
}

function Folded({
  rows,
  lines,
  open,
}: {
  readonly rows: readonly TextRow[]
  readonly lines: readonly SafeText[]
  readonly open: () => void
}): ReactNode {
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0)
  return (
    <>
      <Chunk rows={rows.slice(0, HEAD)} />
      <FoldButton
        hidden={rows.length - HEAD - TAIL}
        all={`${countedWords(lines.length, 'line')}, ${byteWords(size)}`}
        open={open}
      />
      <Chunk rows={rows.slice(-TAIL)} />
    </>
  )
}

/** Everything, drawn as it comes into the window; seen once its end was there. */
function Whole({ rows }: { readonly rows: readonly TextRow[] }): ReactNode {
  const chunks = useMemo(() => chunksOf(rows), [rows])
  return (
    <>
      {chunks.map((chunk, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
        <Chunk key={at} rows={chunk} lazy />
      ))}
      <FoldEnd rows={rows.length} />
    </>
  )
}

/** A clock beside a long text draws again every second; what has not changed stays as it is. */
const Chunk = memo(function Chunk({
  rows,
  lazy = false,
}: {
  readonly rows: readonly TextRow[]
  readonly lazy?: boolean
}): ReactNode {
  return (
    <pre className={lazy ? 'cs-chunk' : undefined}>
      {rows.map((row, at) =>
        row.kind === 'text' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of one text have no other name
          <span key={at}>
            <Marked text={row.text} />
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
