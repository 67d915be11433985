import type { ReactNode } from 'react'
import { type HeldCall, isWhole } from '../call/held-call.ts'
import { maskedBrief, maskedEffect } from '../call/masked-effect.ts'
import { Effect } from '../text/call-effect.tsx'
import { Safe } from '../text/safe-text.tsx'

/** A call in one line: what it would do, and its arguments where that says too little. Secrets are covered. */
export function CallLine({ call }: { readonly call: HeldCall }): ReactNode {
  const brief = maskedBrief(call)
  return (
    <>
      <Effect text={maskedEffect(call)} request={isWhole(call) ? call.request : null} />
      {brief !== '' && (
        <span className="cs-brief">
          {' '}
          <Safe text={brief} />
        </span>
      )}
    </>
  )
}
