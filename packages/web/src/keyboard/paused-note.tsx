import type { ReactNode } from 'react'
import { useKeysRest } from './paused-shortcuts.ts'

/** Says why single keys do nothing for now, and how to wake them. */
export function KeysRestNote(): ReactNode {
  if (!useKeysRest()) return null
  return (
    <p className="keys-rest" role="alert">
      The call was closed or asked anew while you were typing. The keys of this page rest, so that your words decide
      nothing: press <kbd>Esc</kbd>, click or tap to use them again.
    </p>
  )
}
