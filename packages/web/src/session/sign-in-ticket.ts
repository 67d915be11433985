import { useSyncExternalStore } from 'react'

/** The page that a tab with a ticket shows. */
export const SIGN_IN = '/sign-in'

/** A ticket by itself, as it stands at the end of the address. */
const BARE = /^[\w-]{16,128}$/

let waiting: string | null = null
const listeners = new Set<() => void>()

/** Takes the ticket of the address, now and whenever another one is opened in this tab: that changes the fragment only. */
export function followTickets(): void {
  take()
  addEventListener('hashchange', take)
}

/** The ticket that this tab was opened with and has not used yet. */
export function useTicket(): string | null {
  return useSyncExternalStore(subscribe, () => waiting)
}

/** Hands the ticket out, once. */
export function spendTicket(): string | null {
  const ticket = waiting
  waiting = null
  return ticket
}

/** The ticket in what a person pasted: the whole address, or its end. Null where there is none. */
export function ticketIn(text: string): string | null {
  const given = text.trim()
  if (BARE.test(given)) return given
  const [, end = ''] = /[#?](.*)$/s.exec(given) ?? []
  return new URLSearchParams(end).get('ticket')
}

/** SECURITY: A18 a ticket leaves the address bar and the history before anything else. */
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
