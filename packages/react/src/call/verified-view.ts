import { type HeldCallView, type OpenedView, openView } from '@countersign/core'
import { sha256 } from './sha256.ts'

/** A view that may be decided, or why it may not. */
export type OpenedHeld =
  | { readonly kind: 'opened'; readonly opened: OpenedView }
  | { readonly kind: 'mismatch'; readonly view: HeldCallView; readonly message: string }

const known = new WeakMap<HeldCallView, OpenedHeld>()

/**
 * Recomputes every digest of a view in the browser, once for each view.
 * INVARIANT: L5, what does not fit its digest is never shown as something one could approve.
 */
export function openHeld(view: HeldCallView): OpenedHeld {
  const before = known.get(view)
  if (before !== undefined) return before
  const result = tryOpen(view)
  known.set(view, result)
  return result
}

function tryOpen(view: HeldCallView): OpenedHeld {
  try {
    return { kind: 'opened', opened: openView(view, { sha256 }) }
  } catch (error) {
    return { kind: 'mismatch', view, message: error instanceof Error ? error.message : 'the view cannot be read' }
  }
}
