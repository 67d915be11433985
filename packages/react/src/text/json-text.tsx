import { jsonSpans, type SafeText, sliceSafe } from '@countersign/core'
import type { ReactNode } from 'react'
import { MarkedText } from './safe-text.tsx'

/** A line of JSON with colored keys and values. Tokens are whole, so no mark is split. */
export function JsonText({ text }: { readonly text: SafeText }): ReactNode {
  const pieces: ReactNode[] = []
  let at = 0
  for (const { kind, start, end } of jsonSpans(text)) {
    pieces.push(
      <MarkedText key={at} text={sliceSafe(text, at, start)} />,
      <span key={start + 0.5} className={`cs-json-${kind}`}>
        <MarkedText text={sliceSafe(text, start, end)} />
      </span>,
    )
    at = end
  }
  return [...pieces, <MarkedText key={at} text={sliceSafe(text, at)} />]
}
