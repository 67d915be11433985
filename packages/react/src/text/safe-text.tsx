import { type SafeText, safeText } from '@countersign/core'
import { Fragment, type ReactNode } from 'react'

const SIGNS = /(⟦[A-Z0-9+]{1,9}⟧|⏎|⇥)/
const HAS_SIGN = /[⟦⏎⇥]/

/** Untrusted text as text nodes, with invisible and direction-changing characters shown as marks. */
export function SafeTextView({ text }: { readonly text: string }): ReactNode {
  return <MarkedText text={safeText(text)} />
}

/** Safe text with its marks highlighted. */
export function MarkedText({ text }: { readonly text: SafeText }): ReactNode {
  if (!HAS_SIGN.test(text)) return text
  return text.split(SIGNS).map((piece, at) => {
    if (at % 2 === 0) return piece
    const quiet = piece === '⇥' || piece === '⏎'
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <Fragment key={at}>
        <span className={quiet ? 'cs-mark cs-mark-quiet' : 'cs-mark'}>{piece}</span>
      </Fragment>
    )
  })
}
