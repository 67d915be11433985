import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ConnectionStatus } from '../approvals/connection-status.tsx'
import { useDesk } from '../approvals/context.ts'
import { useShortcuts } from '../keyboard/use-shortcuts.ts'
import type { Theme } from '../preferences/preferences.ts'
import { usePreferences } from '../preferences/preferences.ts'
import { HelpDialog, PasskeyDialog, SignOutDialog } from './dialogs.tsx'
import { type Overlay, OverlayContext, PAGES } from './navigation.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))
const PALETTE_KEYS = /Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

/** The frame around every page: navigation, connection state, preferences and overlays. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const [path] = useLocation()
  const { held, link } = useDesk()
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const [hasPalette, setHasPalette] = useState(false)
  const overlays = useMemo(() => ({ current: overlay, open: setOverlay }), [overlay])
  useEffect(() => void loadPalette().catch(() => {}), []) // preloads it for the first press
  const close = (which: Overlay): void => setOverlay((open) => (open === which ? null : open))
  usePaletteKey(() => setOverlay((open) => (open === 'palette' ? null : 'palette')))
  useShortcuts(overlay !== null ? {} : { '?': () => setOverlay('help') })
  if (overlay === 'palette' && !hasPalette) setHasPalette(true)
  // Scrolls the current page's link into view in the narrow navigation.
  const isAnyHeld = held.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link moves with the path and the count
  useEffect(() => {
    document.querySelector('.page-link[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [path, isAnyHeld])
  const isInbox = path === '/' || path.startsWith('/held') || path.startsWith('/batch')
  return (
    <OverlayContext value={overlays}>
      <div className={`cs-root shell${path.startsWith('/held') || path.startsWith('/batch') ? ' shell-detail' : ''}`}>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <header className="top">
          <span className="brand">
            <img src="/icon.svg" alt="" width="22" height="22" /> Countersign
          </span>
          <nav className="pages" aria-label="Pages">
            {PAGES.map(([to, name]) => {
              const isHere = to === '/' ? isInbox : path.startsWith(to)
              return (
                <Link key={to} href={to} className="page-link" aria-current={isHere ? 'page' : undefined}>
                  {name}
                  {to === '/' && held.length > 0 && (
                    <span className="count">
                      {held.length}
                      <span className="cs-hidden"> held</span>
                    </span>
                  )}
                </Link>
              )
            })}
          </nav>
          <ConnectionStatus link={link} />
          <Preferences open={setOverlay} />
        </header>
        <main id="main" className="main" tabIndex={-1}>
          {children}
        </main>
        <HelpDialog isOpen={overlay === 'help'} close={() => close('help')} />
        <PasskeyDialog isOpen={overlay === 'passkey'} close={() => close('passkey')} />
        <SignOutDialog isOpen={overlay === 'sign-out'} close={() => close('sign-out')} />
        {hasPalette && (
          <Suspense>
            <Palette isOpen={overlay === 'palette'} close={() => close('palette')} />
          </Suspense>
        )}
      </div>
    </OverlayContext>
  )
}

/** ⌘K or Ctrl-K, even while typing. */
function usePaletteKey(toggle: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (!event.repeat) toggle()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }

function Preferences({ open }: { readonly open: (overlay: Overlay) => void }): ReactNode {
  const { theme, setTheme } = usePreferences()
  return (
    <span className="preferences">
      <button type="button" className="go-to" onClick={() => open('palette')}>
        <span className="wide-only">
          Go to <kbd>{PALETTE_KEYS}</kbd>
        </span>
        <span className="narrow-only">Menu</span>
      </button>
      <span className="roomy-only">
        <button type="button" className="cs-quiet" onClick={() => setTheme(NEXT[theme])}>
          Theme: {theme === 'system' ? 'auto' : theme}
        </button>
        <button type="button" className="cs-quiet" onClick={() => open('passkey')}>
          {' '}
          Add a passkey
        </button>
      </span>
      <button type="button" className="cs-quiet wide-only" onClick={() => open('sign-out')}>
        {' '}
        Sign out
      </button>
    </span>
  )
}
