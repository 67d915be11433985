import { countedWords } from '@countersign/core'
import type { ReactNode } from 'react'

/** Tells how many secrets are hidden, with a button to reveal them. */
export function RevealSecrets({
  secrets,
  isRevealed,
  setRevealed,
}: {
  readonly secrets: number
  readonly isRevealed: boolean
  readonly setRevealed: (isRevealed: boolean) => void
}): ReactNode {
  if (secrets === 0) return null
  return (
    <p className="cs-masked">
      {countedWords(secrets, 'secret')} {isRevealed ? 'shown' : 'hidden'}.{' '}
      <button type="button" className="cs-quiet" onClick={() => setRevealed(!isRevealed)}>
        {isRevealed ? 'Hide' : 'Reveal'}
      </button>
    </p>
  )
}
