import { type ReactNode, useSyncExternalStore } from 'react'

const FIELD = 'input, textarea, select, [contenteditable]'
const DIALOG = 'dialog, [role=dialog], [role=alertdialog]'

/** The field that has the focus, as far as is known. */
let field: Element | null = null
/** Its own writer has handed it in or left it: then it may go. */
let isLetGo = false
let isResting = false
const listeners = new Set<() => void>()

/** Whether single keys do nothing for now. */
export function areShortcutsPaused(): boolean {
  return isResting
}

/** The same, for what says so. */
export function useShortcutsPaused(): boolean {
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

/** A field that is gone without its writer's doing: the words on their way to it are no keys of the page. */
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
 * Watches for a field that goes while somebody writes into it, because its call was closed elsewhere or asked anew. From
 * then on single keys rest until Escape or a press of the pointer. SECURITY: A5 a sentence that was meant as a reason
 * opens and approves nothing.
 */
export function watchInterruptedTyping(): void {
  addEventListener('focusin', hasFocus, true)
  addEventListener('focusout', hasLostFocus, true)
  addEventListener('keydown', press, true)
  addEventListener('pointerdown', point, true)
  addEventListener('submit', () => (isLetGo = true), true)
  addEventListener('input', () => (isLetGo = false), true)
}

/** Says why single keys do nothing for now, and how to wake them. */
export function PausedShortcutsNote(): ReactNode {
  if (!useShortcutsPaused()) return null
  return (
    <p className="keys-rest" role="alert">
      The call was closed or asked anew while you were typing. The keys of this page rest, so that your words decide
      nothing: press <kbd>Esc</kbd>, click or tap to use them again.
    </p>
  )
}
