import { createContext, useContext } from 'react'

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
