import { type RefObject, useEffect } from 'react'

const TAKEN = 'input, textarea, select, dialog, [role=dialog], [role=alertdialog]'

/**
 * Gives an element the focus when it is first drawn, so that the keyboard and whoever hears the page are there. Nothing
 * scrolls by it, and it is never taken from somebody who writes or answers a dialog; such a dialog may hand it on, to
 * what has `data-cs-focus`.
 */
export function useFirstFocus(element: RefObject<HTMLElement | null>, wanted: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time
  useEffect(() => {
    if (!wanted) return
    element.current?.setAttribute('data-cs-focus', '')
    if (document.activeElement?.closest(TAKEN) == null) element.current?.focus({ preventScroll: true })
  }, [])
}
