import { useSyncExternalStore } from 'react'
import { switchNotifications, wantsNotifications } from './notifications.ts'
import { applySingleKeys, wantsSingleKeys } from './single-key-shortcuts.ts'
import { applyTheme, storedTheme, type Theme } from './theme.ts'

/** What the person chose in this browser, one for the whole page. */
interface Preferences {
  readonly theme: Theme
  readonly notifies: boolean
  /** Whether single keys act. */
  readonly keys: boolean
}

const listeners = new Set<() => void>()
let current: Preferences = { theme: storedTheme(), notifies: wantsNotifications(), keys: wantsSingleKeys() }

function set(next: Partial<Preferences>): void {
  current = { ...current, ...next }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function usePreferences() {
  const preferences = useSyncExternalStore(subscribe, () => current)
  return { ...preferences, setTheme, setNotifies, setKeys }
}

function setTheme(theme: Theme): void {
  applyTheme(theme)
  set({ theme })
}

function setKeys(on: boolean): void {
  applySingleKeys(on)
  set({ keys: on })
}

async function setNotifies(on: boolean): Promise<void> {
  set({ notifies: await switchNotifications(on) })
}
