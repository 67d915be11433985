import type { GrantScope, WouldMatch } from '@countersign/core'
import { type ReactNode, useEffect, useState } from 'react'

/** Says what a grant of this scope would have covered in the past, where that can be known. */
export function Matched({
  scope,
  wouldMatch,
}: {
  readonly scope: GrantScope
  readonly wouldMatch: ((scope: GrantScope) => Promise<WouldMatch>) | undefined
}): ReactNode {
  const [found, setFound] = useState<WouldMatch | null>(null)
  useEffect(() => {
    let isWanted = true
    setFound(null)
    wouldMatch?.(scope).then(
      (answer) => isWanted && setFound(answer),
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [scope, wouldMatch])
  if (found === null) return null
  return (
    <p className={found.high > 0 ? 'cs-matched cs-bad' : 'cs-matched'} role="status">
      Would have matched {found.matched} of your last {found.of} calls
      {found.high > 0 ? `, ${found.high} of them high or critical` : ''}.
    </p>
  )
}
