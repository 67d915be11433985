import type { Link as LinkState } from '@countersign/react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useDesk } from './desk.ts'
import { switchNotifications, wantsNotifications } from './notifications.ts'
import { applyTheme, storedTheme, type Theme } from './theme.ts'

const PAGES = [
  ['/', 'Inbox'],
  ['/history', 'History'],
  ['/grants', 'Grants'],
  ['/journal', 'Journal'],
  ['/tools', 'Tools'],
  ['/explain', 'Explain'],
  ['/charts', 'Charts'],
] as const

/** The frame around every page: where one is, whether it is live, and how it looks. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const [path] = useLocation()
  const { held, link } = useDesk()
  const isInbox = path === '/' || path.startsWith('/held') || path.startsWith('/batch')
  return (
    <div className={`cs-root shell${path.startsWith('/held') || path.startsWith('/batch') ? ' shell-detail' : ''}`}>
      <a className="skip" href="#main">
        Skip to the content
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
        <LinkWords link={link} />
        <Preferences />
      </header>
      <main id="main" className="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

const WORDS: Readonly<Record<LinkState, string>> = {
  connecting: 'connecting',
  live: 'live',
  reconnecting: 'reconnecting',
  offline: 'offline',
  'signed-out': 'signed out',
}

function LinkWords({ link }: { readonly link: LinkState }): ReactNode {
  return (
    <span className={`link link-${link}`} role="status">
      <span aria-hidden="true">{link === 'live' ? '●' : link === 'offline' ? '○' : '◐'} </span>
      {WORDS[link]}
    </span>
  )
}

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }

function Preferences(): ReactNode {
  const [theme, setTheme] = useState(storedTheme)
  const [notifies, setNotifies] = useState(wantsNotifications)
  return (
    <span className="preferences">
      <button
        type="button"
        className="cs-quiet"
        onClick={() => {
          applyTheme(NEXT[theme])
          setTheme(NEXT[theme])
        }}
      >
        {theme === 'system' ? 'auto' : theme}
        <span className="cs-hidden"> theme; change it</span>
      </button>
      <button
        type="button"
        className="cs-quiet"
        aria-pressed={notifies}
        onClick={() => void switchNotifications(!notifies).then(setNotifies)}
      >
        {notifies ? 'notifying' : 'notify me'}
      </button>
    </span>
  )
}
