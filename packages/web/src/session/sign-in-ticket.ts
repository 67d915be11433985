import { useSyncExternalStore } from 'react'

/** Path of the sign-in page. */
export const SIGN_IN = '/sign-in'

/** A bare ticket without its URL. */
const BARE = /^[\w-]{16,128}$/

let waiting: string | null = null
const listeners = new Set<() => void>()

/** Takes the ticket from the URL, now and on every change of the fragment. */
export function followTickets(): void {
  take()
  addEventListener('hashchange', take)
}

/** The unused ticket this tab was opened with. */
export function useTicket(): string | null {
  return useSyncExternalStore(subscribe, () => waiting)
}

/** Returns the ticket and forgets it. */
export function spendTicket(): string | null {
  const ticket = waiting
  waiting = null
  return ticket
}

/** Finds the ticket in a pasted link or fragment; null if there is none. */
export function ticketIn(text: string): string | null {
  const given = text.trim()
  if (BARE.test(given)) return given
  const [, end = ''] = /[#?](.*)$/s.exec(given) ?? []
  return new URLSearchParams(end).get('ticket')
}

/** SECURITY: A18 the ticket leaves the address bar and the history before anything else happens. */
function take(): void {
  const ticket = ticketIn(location.hash) ?? ticketIn(location.search)
  if (ticket === null) return
  waiting = ticket
  history.replaceState(null, '', SIGN_IN)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
