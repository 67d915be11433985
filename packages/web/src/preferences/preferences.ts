import { useSyncExternalStore } from 'react'
import { switchNotifications, wantsNotifications } from './notifications.ts'

const THEME_KEY = 'countersign-theme'
const SHORTCUTS_KEY = 'countersign-keys'

/** The themes, each with its entry in the command palette. */
export const THEMES = [
  ['system', 'Use the system theme'],
  ['light', 'Use the light theme'],
  ['dark', 'Use the dark theme'],
] as const

/** One of `THEMES`. */
export type Theme = (typeof THEMES)[number][0]

/** What the person chose in this browser; shared by the whole page. */
interface Preferences {
  readonly theme: Theme
  readonly notifies: boolean
  /** Whether single-key shortcuts are on. People who dictate turn them off. */
  readonly keys: boolean
}

const listeners = new Set<() => void>()
let current: Preferences = { theme: storedTheme(), notifies: wantsNotifications(), keys: storedShortcuts() }

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

/** Applies the stored theme and shortcut setting to the document. */
export function applyPreferences(): void {
  setTheme(current.theme)
  setKeys(current.keys)
}

function setTheme(theme: Theme): void {
  store(THEME_KEY, 'theme', theme === 'system' ? null : theme)
  set({ theme })
}

/** Style sheets hide the key hints on buttons while shortcuts are off. */
function setKeys(on: boolean): void {
  store(SHORTCUTS_KEY, 'keys', on ? null : 'off')
  set({ keys: on })
}

async function setNotifies(on: boolean): Promise<void> {
  set({ notifies: await switchNotifications(on) })
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function storedShortcuts(): boolean {
  return localStorage.getItem(SHORTCUTS_KEY) !== 'off'
}

/** Keeps a choice in local storage and as a `data-` attribute of the document; null is the default. */
function store(key: string, attribute: string, value: string | null): void {
  if (value === null) {
    delete document.documentElement.dataset[attribute]
    localStorage.removeItem(key)
  } else {
    document.documentElement.dataset[attribute] = value
    localStorage.setItem(key, value)
  }
}
