import { type ReactNode, useMemo } from 'react'
import { Safe } from './safe.tsx'

/**
 * The sentence on what a call would do, with the names in it set apart. SECURITY: A14 the gate puts backticks around
 * names; where the call brings backticks of its own, nothing tells them from the gate's, and all are shown as they are; so
 * too where the request is not there to look (null).
 */
export function Effect({ text, request }: { readonly text: string; readonly request: string | null }): ReactNode {
  const isOurs = useMemo(() => request !== null && !request.includes('`'), [request])
  const pieces = text.split('`')
  if (!isOurs || pieces.length % 2 === 0) return <Safe text={text} />
  return pieces.map((piece, at) =>
    at % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <Safe key={at} text={piece} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <span key={at} className="cs-name">
        <Safe text={piece} />
      </span>
    ),
  )
}
