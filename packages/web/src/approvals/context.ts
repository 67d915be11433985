import { type ApprovalsHandle, type BrowserKey, httpSource, openBrowserKey } from '@countersign/react'
import { createContext, useContext } from 'react'
import { service } from '../api/service.ts'
import type { Signing } from '../signing/capability.ts'
import { signWithPasskey } from '../signing/passkey.ts'

let opening: Promise<BrowserKey> | undefined

/** Opens this browser's key once. */
export function browserKey(): Promise<BrowserKey> {
  opening ??= openBrowserKey()
  return opening
}

let isKnown = false

/** Remembers that this browser's key is enrolled, so that decisions need not check it. */
export function noteEnrolled(): void {
  isKnown = true
}

/** The enrolled key that signs decisions; null if a passkey must sign instead. */
export async function enrolledKey(): Promise<BrowserKey | null> {
  const key = await browserKey().catch(() => null)
  if (key === null || isKnown) return key
  isKnown = (await service.me().catch(unanswered)).approvers.some(({ id }) => id === key.keyId)
  return isKnown ? key : null
}

function unanswered(error: Error): never {
  throw new Error(`${error.message} Nothing was signed or decided.`, { cause: error })
}

/** The source of this page. */
export const source = httpSource({ key: enrolledKey, passkey: signWithPasskey, surface: 'web' })

/** The state shared by all pages. */
export interface DeskState extends ApprovalsHandle {
  /** Why decisions are blocked; null if they are not. */
  readonly blocked: string | null
  /** What this browser could sign with. */
  readonly signing: Signing
}

export const DeskContext = createContext<DeskState | null>(null)

export function useDesk(): DeskState {
  const desk = useContext(DeskContext)
  if (desk === null) throw new Error('`useDesk` needs a `DeskContext` around it')
  return desk
}
