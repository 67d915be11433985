import { type RefObject, useEffect, useRef } from 'react'

const TAKEN = 'input, textarea, select, dialog, [role=dialog], [role=alertdialog]'

/**
 * Focuses an element on first render, without scrolling, unless the person is typing or in a dialog. Such a dialog may
 * pass the focus on to the element with `data-cs-focus`.
 */
export function useInitialFocus(element: RefObject<HTMLElement | null>, wanted: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on first render
  useEffect(() => {
    if (!wanted) return
    element.current?.setAttribute('data-cs-focus', '')
    if (document.activeElement?.closest(TAKEN) == null) element.current?.focus({ preventScroll: true })
  }, [])
}

/**
 * Focuses an element if the focused one disappeared after a change of `about`, so that keyboard and screen reader users
 * keep their place. `atFirst` also checks on first render.
 */
export function useLostFocus(element: RefObject<HTMLElement | null>, about: unknown, atFirst = false): void {
  const isWanted = useRef(atFirst)
  // biome-ignore lint/correctness/useExhaustiveDependencies: checks after every change
  useEffect(() => {
    const { activeElement, body } = document
    const isLost = activeElement === null || activeElement === body
    if (isWanted.current && isLost) element.current?.focus({ preventScroll: true })
    isWanted.current = true
  }, [about])
}
