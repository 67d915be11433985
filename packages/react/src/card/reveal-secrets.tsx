import { countedWords } from '@countersign/core'
import type { ReactNode } from 'react'
import { useRequiredReveal } from '../text/reading-progress.tsx'

/** Tells how many secrets are hidden, with a button to reveal them. They count as unread until then. */
export function RevealSecrets({
  secrets,
  isRevealed,
  setRevealed,
}: {
  readonly secrets: number
  readonly isRevealed: boolean
  readonly setRevealed: (isRevealed: boolean) => void
}): ReactNode {
  const seen = useRequiredReveal(secrets > 0)
  if (secrets === 0) return null
  return (
    <p className="cs-masked">
      {countedWords(secrets, 'secret')} {isRevealed ? 'shown' : 'hidden'}.{' '}
      <button
        type="button"
        className="cs-quiet"
        onClick={() => {
          setRevealed(!isRevealed)
          if (!isRevealed) seen()
        }}
      >
        {isRevealed ? 'Hide' : 'Reveal'}
      </button>
    </p>
  )
}
