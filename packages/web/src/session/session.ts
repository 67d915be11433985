import { ServiceError } from '@countersign/react'
import { service } from '../api/service.ts'
import { SIGN_IN } from './sign-in-ticket.ts'

/** The tabs of one browser share a sign-in, so that they hear of its end and of a new one. */
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('countersign-session') : undefined

const OUT = '#signed-out'

/** Ends the sign-in of this browser, in every tab. Throws when the service does not answer: then it still stands. */
export async function signOut(): Promise<void> {
  try {
    await service.signOut()
  } catch (error) {
    if (!(error instanceof ServiceError && error.status === 401)) throw error
  }
  tabs?.postMessage('out')
  leave()
}

/** Tells the tabs that wait for a sign-in that there is one. */
export function tellSignedIn(): void {
  tabs?.postMessage('in')
}

let isWaiting = false

/** This tab shows how to sign in, at whatever address, until the returned function is called. */
export function waitForSignIn(): () => void {
  isWaiting = true
  return () => {
    isWaiting = false
  }
}

/** Goes along with what another tab did. */
export function followSession(): void {
  tabs?.addEventListener('message', ({ data }) => {
    if (data === 'out') leave()
    else if (data === 'in' && isWaiting) location.replace(location.pathname === SIGN_IN ? '/' : location.pathname)
  })
}

/** Whether the person has just signed out. */
export function hasSignedOut(): boolean {
  return location.hash === OUT
}

/** A new document: what the last one showed leaves the memory with it. */
function leave(): void {
  if (location.pathname !== SIGN_IN) location.replace(`${SIGN_IN}${OUT}`)
}
