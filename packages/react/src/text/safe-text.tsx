import { codePointsOf, type SafeText, safeText } from '@countersign/core'
import { Fragment, type ReactNode } from 'react'

const SIGNS = /(⟦RTL⟧[^⟦]*⟦LTR⟧|⟦[A-Z0-9+]{1,9}⟧|⏎|⇥)/
const HAS_SIGN = /[⟦⏎⇥]/
const RUN = /^⟦RTL⟧([^⟦]+)⟦LTR⟧$/

/**
 * Untrusted text as text nodes, with invisible and direction-changing characters shown as marks. SECURITY: A13 always left
 * to right and apart from the text around it, whatever the direction of the page.
 */
export function SafeTextView({ text }: { readonly text: string }): ReactNode {
  return (
    <bdi dir="ltr">
      <MarkedText text={safeText(text)} />
    </bdi>
  )
}

/** Safe text with its marks highlighted. The element around it must be left to right. */
export function MarkedText({ text }: { readonly text: SafeText }): ReactNode {
  if (!HAS_SIGN.test(text)) return text
  return text.split(SIGNS).map((piece, at) => {
    if (at % 2 === 0) return piece
    const [, letters] = RUN.exec(piece) ?? []
    const quiet = piece === '⇥' || piece === '⏎'
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <Fragment key={at}>
        {letters === undefined ? (
          <span className={quiet ? 'cs-mark cs-mark-quiet' : 'cs-mark'}>{piece}</span>
        ) : (
          <RightToLeft letters={letters} />
        )}
      </Fragment>
    )
  })
}

/** Right-to-left letters, apart from the text around them, with their code points as a tooltip. */
function RightToLeft({ letters }: { readonly letters: string }): ReactNode {
  return (
    <bdi dir="ltr" className="cs-rtl" title={codePointsOf(letters)}>
      <span className="cs-mark">⟦RTL⟧</span>
      <bdi dir="rtl">{letters}</bdi>
      <span className="cs-mark">⟦LTR⟧</span>
    </bdi>
  )
}
