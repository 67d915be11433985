import { createContext, useContext } from 'react'

/** The pages: address, name, and what one finds there. */
export const PAGES = [
  ['/', 'Inbox', 'what is held'],
  ['/history', 'History', 'what was decided'],
  ['/grants', 'Grants', 'what runs without asking'],
  ['/journal', 'Journal', 'every step, verified'],
  ['/tools', 'Tools', 'what was called, and its policy'],
  ['/explain', 'Explain', 'what policy says of a call'],
  ['/charts', 'Charts', 'how much, how fast'],
] as const

/** What can lie over the page; one at a time. */
export type Overlay = 'palette' | 'help' | 'passkey' | 'sign-out'

/** What lies over the page now, and the way to open one from anywhere. */
export interface Overlays {
  readonly current: Overlay | null
  open(overlay: Overlay): void
}

export const OverlayContext = createContext<Overlays>({ current: null, open: () => {} })

export function useOverlays(): Overlays {
  return useContext(OverlayContext)
}
