import type { ConnectionState } from '@countersign/react'
import type { ReactNode } from 'react'

const WORDS: Readonly<Record<ConnectionState, string>> = {
  connecting: 'connecting',
  live: 'live',
  reconnecting: 'reconnecting',
  offline: 'offline',
  'signed-out': 'signed out',
}

/** The connection state as symbol and text. */
export function ConnectionStatus({
  link,
  place = 'link',
}: {
  readonly link: ConnectionState
  /** In the header, or above the open call on a phone. */
  readonly place?: 'link' | 'pane-link'
}): ReactNode {
  return (
    <span className={`${place} ${place}-${link}`} role="status">
      <span aria-hidden="true">{link === 'live' ? '●' : link === 'offline' ? '○' : '◐'} </span>
      {WORDS[link]}
    </span>
  )
}
