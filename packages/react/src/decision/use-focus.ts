import { type RefObject, useEffect, useRef } from 'react'

const TAKEN = 'input, textarea, select, dialog, [role=dialog], [role=alertdialog]'

/**
 * Gives an element the focus when it is first drawn, so that the keyboard and whoever hears the page are there. Nothing
 * scrolls by it, and it is never taken from somebody who writes or answers a dialog; such a dialog may hand it on, to
 * what has `data-cs-focus`.
 */
export function useInitialFocus(element: RefObject<HTMLElement | null>, wanted: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time
  useEffect(() => {
    if (!wanted) return
    element.current?.setAttribute('data-cs-focus', '')
    if (document.activeElement?.closest(TAKEN) == null) element.current?.focus({ preventScroll: true })
  }, [])
}

/**
 * Gives an element the focus when what had it is gone, looked at after every change of `about`: the keyboard, and
 * whoever hears the page, are never left nowhere. It is taken from nothing that still has it. `atFirst` also looks when
 * the element is first drawn: where it takes the place of something.
 */
export function useLostFocus(element: RefObject<HTMLElement | null>, about: unknown, atFirst = false): void {
  const isWanted = useRef(atFirst)
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at when something has changed
  useEffect(() => {
    const { activeElement, body } = document
    const isLost = activeElement === null || activeElement === body
    if (isWanted.current && isLost) element.current?.focus({ preventScroll: true })
    isWanted.current = true
  }, [about])
}
