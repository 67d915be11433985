import { countedWords } from '@countersign/core'
import type { ReactNode } from 'react'
import { useRequiredReading } from './reading-progress.tsx'

/** What has more rows is folded: its beginning, its end, and how much lies between. */
export const WHOLE = 80
export const HEAD = 24
export const TAIL = 8

/** Stands in the place of what is folded, and counts as unseen as long as it stands there. SECURITY: A14 */
export function FoldButton({
  hidden,
  all,
  open,
}: {
  readonly hidden: number
  /** How much there is in all, in words. */
  readonly all: string
  readonly open: () => void
}): ReactNode {
  useRequiredReading('fold')
  return (
    <button type="button" className="cs-fold" onClick={open}>
      {countedWords(hidden, 'row')} hidden · {all} in all · <span className="cs-link">Show everything</span>
    </button>
  )
}

/** The end of what was opened: all of it was seen once this stood in the window. */
export function FoldEnd({ rows }: { readonly rows: number }): ReactNode {
  const end = useRequiredReading('fold')
  return (
    <div ref={end} className="cs-code-end">
      end of {countedWords(rows, 'row')}
    </div>
  )
}

/** Rows in pieces that are drawn as they come into the window. */
export function chunksOf<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = []
  for (let at = 0; at < rows.length; at += CHUNK) chunks.push(rows.slice(at, at + CHUNK))
  return chunks
}

const CHUNK = 100
