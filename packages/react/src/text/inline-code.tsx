import type { ReactNode } from 'react'
import { tickedPieces } from './inline-code-parser.ts'
import { Safe } from './safe-text.tsx'

/** A sentence of the gate, with the names that it put between backticks set apart. */
export function Ticked({ text }: { readonly text: string }): ReactNode {
  return tickedPieces(text).map(({ text: piece, isName }, at) =>
    isName ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <span key={at} className="cs-name">
        <Safe text={piece} />
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <Safe key={at} text={piece} />
    ),
  )
}
