import { ServiceError } from '@countersign/react'
import { service } from '../api/service.ts'
import { isPushOn, unsubscribeBrowser } from '../push/subscription.ts'
import { SIGN_IN } from './sign-in-ticket.ts'

/** Tells the other tabs, which share the sign-in, when it starts or ends. */
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('countersign-session') : undefined

const OUT = '#signed-out'

/** Signs out all tabs of this browser, and ends its notifications. Throws if the service does not respond; the person is then still signed in. */
export async function signOut(): Promise<void> {
  if (isPushOn()) await unsubscribeBrowser().catch(() => {}) // the sign-out does not depend on it
  try {
    await service.signOut()
  } catch (error) {
    if (!(error instanceof ServiceError && error.status === 401)) throw error
  }
  tabs?.postMessage('out')
  leave()
}

/** Tells tabs on the sign-in page to continue. */
export function tellSignedIn(): void {
  tabs?.postMessage('in')
}

let isWaiting = false

/** Marks this tab as waiting for a sign-in; returns the function that ends it. */
export function waitForSignIn(): () => void {
  isWaiting = true
  return () => {
    isWaiting = false
  }
}

/** Follows sign-ins and sign-outs of other tabs. */
export function followSession(): void {
  tabs?.addEventListener('message', ({ data }) => {
    if (data === 'out') leave()
    else if (data === 'in' && isWaiting) location.replace(location.pathname === SIGN_IN ? '/' : location.pathname)
  })
}

/** Whether the person just signed out. */
export function hasSignedOut(): boolean {
  return location.hash === OUT
}

/** Loads a new document, so that the content of the old one leaves memory. */
function leave(): void {
  if (location.pathname !== SIGN_IN) location.replace(`${SIGN_IN}${OUT}`)
}
