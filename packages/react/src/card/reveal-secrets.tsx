import type { ReactNode } from 'react'

/** Says that secrets are covered, and uncovers them. */
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
      {secrets === 1 ? 'A secret is' : `${secrets} secrets are`} {isRevealed ? 'shown' : 'covered'}.{' '}
      <button type="button" className="cs-quiet" onClick={() => setRevealed(!isRevealed)}>
        {isRevealed ? 'Cover' : 'Reveal'}
      </button>
    </p>
  )
}
