import { safeText, sliceSafe } from '@countersign/core'

declare const told: unique symbol

/** The reason sent to a host: one line, never empty. Created only in this file. */
export type Reason = string & { readonly [told]: true }

/** Claude Code truncates at this length; every host accepts a refusal of this length. */
const MOST = 10_000
/** Of the text itself, which its marks make longer. */
const MOST_READ = 9_000

const REFUSED = 'Countersign refused this call; run `countersign held` to see why'

/** SECURITY: A12, A13, hosts show a reason in their terminal: no control, invisible or moving character is left in it. */
export function reasonOf(text: string): Reason {
  const line = text.slice(0, MOST_READ).replace(/\s+/g, ' ').trim()
  const safe = safeText(line)
  const kept = safe.length <= MOST ? safe : sliceSafe(safe, 0, endBefore(safe))
  return (kept === '' ? REFUSED : kept) as Reason
}

/** The end of the longest part that ends neither inside a mark nor inside a character. */
function endBefore(safe: string): number {
  const opened = safe.lastIndexOf('⟦', MOST - 1)
  const isOpen = opened >= 0 && safe.indexOf('⟧', opened) >= MOST
  if (isOpen) return opened
  return safe.codePointAt(MOST - 1) === safe.charCodeAt(MOST - 1) ? MOST : MOST - 1
}
