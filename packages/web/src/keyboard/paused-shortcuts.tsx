import { type ReactNode, useSyncExternalStore } from 'react'

const FIELD = 'input, textarea, select, [contenteditable]'
const DIALOG = 'dialog, [role=dialog], [role=alertdialog]'

/** The text field with the focus. */
let field: Element | null = null
/** The person submitted or left the field, so it may disappear. */
let isLetGo = false
let isResting = false
const listeners = new Set<() => void>()

/** Whether single-key shortcuts are paused. */
export function areShortcutsPaused(): boolean {
  return isResting
}

function useShortcutsPaused(): boolean {
  return useSyncExternalStore(subscribe, areShortcutsPaused)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function rest(next: boolean): void {
  if (isResting === next) return
  isResting = next
  for (const listener of listeners) listener()
}

/** Pauses shortcuts if the field disappeared while the person was typing in it. */
function look(): void {
  if (field === null || field.isConnected) return
  field = null
  if (!isLetGo) rest(true)
}

function hasFocus(event: Event): void {
  look()
  const { target } = event
  field = target instanceof Element && target.matches(FIELD) && target.closest(DIALOG) === null ? target : null
  isLetGo = false
}

function hasLostFocus(): void {
  const before = field
  setTimeout(() => {
    if (field === before && before?.isConnected === true && document.activeElement !== before) field = null
  })
}

function press(event: KeyboardEvent): void {
  look()
  if (event.key !== 'Escape') return
  if (isResting && !(event.target instanceof Element && event.target.closest(DIALOG) !== null)) {
    rest(false)
    event.preventDefault()
    event.stopPropagation()
    return
  }
  isLetGo = true
  setTimeout(() => {
    isLetGo = false
  })
}

function point(): void {
  if (field?.isConnected === false) field = null
  rest(false)
}

/**
 * Watches for a text field that disappears while the person types, because its call closed or changed. Shortcuts then
 * pause until Escape or a click. SECURITY: A5 text meant as a reason must not trigger shortcuts.
 */
export function watchInterruptedTyping(): void {
  addEventListener('focusin', hasFocus, true)
  addEventListener('focusout', hasLostFocus, true)
  addEventListener('keydown', press, true)
  addEventListener('pointerdown', point, true)
  addEventListener('submit', () => (isLetGo = true), true)
  addEventListener('input', () => (isLetGo = false), true)
}

/** Explains why shortcuts are paused and how to resume them. */
export function PausedShortcutsNote(): ReactNode {
  if (!useShortcutsPaused()) return null
  return (
    <p className="keys-rest" role="alert">
      The call was closed or changed while you were typing, so keyboard shortcuts are paused. Press <kbd>Esc</kbd>,
      click or tap to resume them.
    </p>
  )
}
