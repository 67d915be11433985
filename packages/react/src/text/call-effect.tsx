import { type ReactNode, useMemo } from 'react'
import { Ticked } from './inline-code.tsx'
import { Safe } from './safe-text.tsx'

/**
 * What the gate says of a call, with the names in it set apart. SECURITY: A14 the gate puts backticks around names; where
 * the call brings backticks of its own, all are shown as they are. Without the request to look at (null) only a sentence on
 * the effect may be given: its names are fenced, so that none of theirs can end one early.
 */
export function Effect({ text, request }: { readonly text: string; readonly request: string | null }): ReactNode {
  const isOurs = useMemo(() => request === null || !request.includes('`'), [request])
  return isOurs ? <Ticked text={text} /> : <Safe text={text} />
}
