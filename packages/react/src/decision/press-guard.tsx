import { type ReactNode, useEffect, useSyncExternalStore } from 'react'

/** A mouse must travel this far inside the page, in CSS pixels, before its presses count. Fingers and pens do not hover. */
const TRAVEL = 8

/** Where the pointer was last seen, and how far it has moved since it came to the page. */
let last: { readonly x: number; readonly y: number } | null = null
let travelled = 0
/** Whether the press in progress may approve. */
let isOurs = false
/** An approving press was ignored. */
let isStray = false
let watchers = 0
const listeners = new Set<() => void>()

function setStray(next: boolean): void {
  if (isStray === next) return
  isStray = next
  for (const listener of listeners) listener()
}

function hasMoved(event: PointerEvent): void {
  const { clientX: x, clientY: y } = event
  if (last !== null) travelled += Math.hypot(x - last.x, y - last.y)
  last = { x, y }
  if (travelled >= TRAVEL) setStray(false)
}

function isDown(event: PointerEvent): void {
  isOurs = event.pointerType !== 'mouse' || travelled >= TRAVEL
}

function startOver(): void {
  last = null
  travelled = 0
  isOurs = false
}

/**
 * Calls `back` whenever this page comes back under the pointer or gets the focus: another window may have covered it until
 * now. Returns the function that ends it.
 */
export function onReturn(back: () => void): () => void {
  const shown = (): void => {
    if (document.visibilityState === 'visible') back()
  }
  const entered = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse') back()
  }
  addEventListener('focus', back)
  addEventListener('pageshow', back)
  document.addEventListener('visibilitychange', shown)
  document.documentElement.addEventListener('pointerenter', entered)
  return () => {
    removeEventListener('focus', back)
    removeEventListener('pageshow', back)
    document.removeEventListener('visibilitychange', shown)
    document.documentElement.removeEventListener('pointerenter', entered)
  }
}

let stop = (): void => {}

/** Watches the pointer from now on; without it no mouse can approve. Returns the function that ends it. */
export function watchPointer(): () => void {
  watchers += 1
  if (watchers === 1) {
    const end = onReturn(startOver)
    addEventListener('pointermove', hasMoved, true)
    addEventListener('pointerdown', isDown, true)
    stop = () => {
      end()
      removeEventListener('pointermove', hasMoved, true)
      removeEventListener('pointerdown', isDown, true)
      startOver()
      setStray(false)
    }
  }
  return () => {
    watchers -= 1
    if (watchers === 0) stop()
  }
}

/** Watches the pointer while a component is on the page. */
export function useWatchedPointer(): void {
  useEffect(watchPointer, [])
}

/**
 * Whether a click may approve: by key, finger or pen, or by a mouse that moved inside this page before it was pressed.
 * SECURITY: A5 a page that covers this one, and disappears between two presses, must not lend us the second.
 */
export function isDeliberate(event: MouseEvent): boolean {
  const isOk = event.detail === 0 || isOurs
  setStray(!isOk)
  return isOk
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Says why a press was ignored, until the pointer moves. */
export function StrayPressNote(): ReactNode {
  const isShown = useSyncExternalStore(
    subscribe,
    () => isStray,
    () => false,
  )
  if (!isShown) return null
  return (
    <p className="cs-note" role="alert">
      Move the pointer, then press again.
    </p>
  )
}
