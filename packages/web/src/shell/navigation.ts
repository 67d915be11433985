import { createContext, useContext } from 'react'

/** The pages: path, name and description. */
export const PAGES = [
  ['/', 'Inbox', 'calls waiting for you'],
  ['/history', 'History', 'past calls and decisions'],
  ['/grants', 'Grants', 'calls that run without asking'],
  ['/changes', 'Changes', 'files nobody has seen'],
  ['/journal', 'Journal', 'the verified audit log'],
  ['/tools', 'Tools', 'tools and their policy'],
  ['/explain', 'Explain', 'test a call against policy'],
  ['/charts', 'Charts', 'decisions over time'],
  ['/settings', 'Settings', 'notifications'],
] as const

/** The overlays, of which one is open at a time. */
export type Overlay = 'palette' | 'help' | 'passkey' | 'sign-out'

/** The open overlay, and a function to open one. */
export interface Overlays {
  readonly current: Overlay | null
  open(overlay: Overlay): void
}

export const OverlayContext = createContext<Overlays>({ current: null, open: () => {} })

export function useOverlays(): Overlays {
  return useContext(OverlayContext)
}
