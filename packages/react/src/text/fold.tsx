import { countedWords } from '@countersign/core'
import type { ReactNode } from 'react'
import { useRequiredReading } from './reading-progress.tsx'

/** Texts with more rows are folded to their first and last rows. */
export const WHOLE = 80
export const HEAD = 24
export const TAIL = 8

/** Replaces the hidden rows. While it is shown, they count as unread. SECURITY: A14 */
export function FoldButton({
  hidden,
  all,
  open,
}: {
  readonly hidden: number
  /** The total size, in words. */
  readonly all: string
  readonly open: () => void
}): ReactNode {
  useRequiredReading('fold')
  return (
    <button type="button" className="cs-fold" onClick={open}>
      {countedWords(hidden, 'row')} hidden · {all} in total · <span className="cs-link">Show all</span>
    </button>
  )
}

/** The end of an expanded text, which counts as read once this was visible. */
export function FoldEnd({ rows }: { readonly rows: number }): ReactNode {
  const end = useRequiredReading('fold')
  return (
    <div ref={end} className="cs-code-end">
      End of {countedWords(rows, 'row')}
    </div>
  )
}

/** Splits rows into chunks that are rendered as they scroll into view. */
export function chunksOf<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = []
  for (let at = 0; at < rows.length; at += CHUNK) chunks.push(rows.slice(at, at + CHUNK))
  return chunks
}

const CHUNK = 100
