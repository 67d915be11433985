import { type ReactNode, useMemo } from 'react'
import { SafeTextView } from './safe-text.tsx'

/** A sentence from the gate; names in backticks are rendered as code. */
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
 * A sentence from the gate about a call. SECURITY: A14 if the call itself contains backticks, nothing is rendered as
 * code, so that it cannot forge names. Pass `request: null` only for effects, whose names the gate has fenced.
 */
export function CallEffect({ text, request }: { readonly text: string; readonly request: string | null }): ReactNode {
  const isOurs = useMemo(() => request === null || !request.includes('`'), [request])
  return isOurs ? <InlineCode text={text} /> : <SafeTextView text={text} />
}

/** Part of a sentence: a name in backticks, or plain text. */
export interface InlineCodePiece {
  readonly text: string
  readonly isName: boolean
}

/**
 * Parses inline code as Markdown does: a fence of n backticks ends at the next n backticks. A name cut off by `…` ends
 * with the text; any other unclosed fence is plain text.
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

/** A name that begins or ends with a backtick is padded with spaces. */
function unpadded(name: string): string {
  const inner = name.slice(1, -1)
  const isPadded = name.startsWith(' ') && name.endsWith(' ') && (inner.startsWith('`') || inner.endsWith('`'))
  return isPadded ? inner : name
}
