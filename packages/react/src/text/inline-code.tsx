import { type ReactNode, useMemo } from 'react'
import { SafeTextView } from './safe-text.tsx'

/** A sentence of the gate, with the names that it put between backticks set apart. */
export function InlineCode({ text }: { readonly text: string }): ReactNode {
  return inlineCodePieces(text).map(({ text: piece, isName }, at) =>
    isName ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <span key={at} className="cs-name">
        <SafeTextView text={piece} />
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <SafeTextView key={at} text={piece} />
    ),
  )
}

/**
 * What the gate says of a call, with the names in it set apart. SECURITY: A14 the gate puts backticks around names; where
 * the call brings backticks of its own, all are shown as they are. Without the request to look at (null) only a sentence on
 * the effect may be given: its names are fenced, so that none of theirs can end one early.
 */
export function CallEffect({ text, request }: { readonly text: string; readonly request: string | null }): ReactNode {
  const isOurs = useMemo(() => request === null || !request.includes('`'), [request])
  return isOurs ? <InlineCode text={text} /> : <SafeTextView text={text} />
}

/** A stretch of a sentence: a name that stood between backticks, or words. */
export interface InlineCodePiece {
  readonly text: string
  readonly isName: boolean
}

/**
 * Takes a sentence apart at its backticks, as Markdown does: a name ends at as many as it began with, so that one with
 * backticks of its own stays whole. A name that was cut (`…`) ends with the text; any other that does not end is words.
 */
export function inlineCodePieces(text: string): readonly InlineCodePiece[] {
  const parts = text.split(/(`+)/) // words, fence, words, fence, …
  const pieces: InlineCodePiece[] = []
  let words = parts[0] ?? ''
  for (let at = 1; at < parts.length; at += 2) {
    const fence = parts[at] ?? ''
    const end = parts.findIndex((part, place) => place > at && place % 2 === 1 && part === fence)
    const isCut = end === -1 && text.endsWith('…')
    if (end === -1 && !isCut) {
      words += fence + (parts[at + 1] ?? '')
      continue
    }
    if (words !== '') pieces.push({ text: words, isName: false })
    const name = parts.slice(at + 1, isCut ? undefined : end).join('')
    pieces.push({ text: fence.length > 1 ? unpadded(name) : name, isName: true })
    if (isCut) return pieces
    words = parts[end + 1] ?? ''
    at = end
  }
  if (words !== '') pieces.push({ text: words, isName: false })
  return pieces
}

/** A name that begins or ends with a backtick has a blank on either side. */
function unpadded(name: string): string {
  const inner = name.slice(1, -1)
  const isPadded = name.startsWith(' ') && name.endsWith(' ') && (inner.startsWith('`') || inner.endsWith('`'))
  return isPadded ? inner : name
}
