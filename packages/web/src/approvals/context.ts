import { type ApprovalsHandle, type BrowserKey, httpSource, openBrowserKey } from '@countersign/react'
import { createContext, useContext } from 'react'
import { service } from '../api/service.ts'
import type { Signing } from '../signing/capability.ts'
import { signWithPasskey } from '../signing/passkey.ts'

let opening: Promise<BrowserKey> | undefined

/** This browser's key, opened once. */
export function browserKey(): Promise<BrowserKey> {
  opening ??= openBrowserKey()
  return opening
}

let isKnown = false

/** The page has read that this browser's key is enrolled: no decision has to ask for that first. */
export function noteEnrolled(): void {
  isKnown = true
}

/** The key that decisions are signed with; null where it is not enrolled or cannot be, and a passkey signs instead. */
export async function enrolledKey(): Promise<BrowserKey | null> {
  const key = await browserKey().catch(() => null)
  if (key === null || isKnown) return key
  isKnown = (await service.me().catch(unanswered)).approvers.some(({ id }) => id === key.keyId)
  return isKnown ? key : null
}

function unanswered(error: Error): never {
  throw new Error(`${error.message} Nothing was signed, and nothing was decided.`, { cause: error })
}

/** The one stream of this page. */
export const source = httpSource({ key: enrolledKey, passkey: signWithPasskey, surface: 'web' })

/** What every page knows: what is held, how to decide, and whether this browser may. */
export interface DeskState extends ApprovalsHandle {
  /** Why nothing may be decided now, in words; null when it may. */
  readonly blocked: string | null
  /** What this browser could sign with. */
  readonly signing: Signing
}

export const DeskContext = createContext<DeskState | null>(null)

export function useDesk(): DeskState {
  const desk = useContext(DeskContext)
  if (desk === null) throw new Error('a page outside of the desk')
  return desk
}
