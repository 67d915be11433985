import type { PasskeySigner } from '@countersign/react'
import { useSyncExternalStore } from 'react'
import { type Me, service } from '../api/service.ts'

/** An enrolled passkey of this site. */
export interface SitePasskey {
  readonly id: string
  readonly name: string
  readonly credential: string
}

/** The passkeys enrolled for this site, on any device. */
export function passkeysHere(me: Me | undefined): readonly SitePasskey[] {
  return (me?.approvers ?? []).flatMap(({ id, name, passkey }) =>
    passkey !== undefined && passkey.site === location.hostname ? [{ id, name, credential: passkey.credential }] : [],
  )
}

/** Asks the browser to sign with one passkey; null if it did not. */
export type AskPasskey = (passkey: SitePasskey) => Promise<string | null>

/**
 * Signs with one of this site's passkeys. The message names its signer, so only one passkey can be asked at a time: the
 * one chosen or used here before, otherwise each in turn.
 */
export async function signWithOne(
  known: readonly SitePasskey[],
  chosen: string | null,
  ask: AskPasskey,
): Promise<{ readonly approver: string; readonly signature: string }> {
  if (known.length === 0) throw new Error('no passkey is enrolled for this site; add one first')
  const mine = known.filter(({ id }) => id === chosen)
  for (const passkey of mine.length > 0 ? mine : known) {
    const signature = await ask(passkey).catch(unlessAbsent)
    if (signature !== null) return { approver: passkey.id, signature }
  }
  const other = mine.length > 0 && known.length > 1 ? '; to use another passkey, select it by name' : ''
  throw new Error(`no passkey responded, so nothing was decided${other}`)
}

/** Browsers report a missing passkey and a refusal by the person with the same error. */
function unlessAbsent(error: unknown): null {
  if (error instanceof Error && error.name === 'NotAllowedError') return null
  throw error
}

/** Signs a decision with the hash of its message as the challenge. */
export const signWithPasskey: PasskeySigner = async (messageFor) => {
  const signed = await signWithOne(passkeysHere(await service.me()), chosenPasskey(), async ({ id, credential }) => {
    const given = await navigator.credentials.get({
      publicKey: {
        challenge: fromHex(messageFor(id)),
        rpId: location.hostname,
        allowCredentials: [{ type: 'public-key', id: fromBase64Url(credential) }],
        userVerification: 'required',
      },
    })
    return given instanceof PublicKeyCredential ? JSON.stringify(given.toJSON()) : null
  })
  choosePasskey(signed.approver)
  return signed
}

/** Creates a passkey for this site, enrols it with a code and makes it the chosen one. */
export async function enrolPasskey(name: string, code: string): Promise<void> {
  const options = await service.passkeyOptions()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = await navigator.credentials.create({ publicKey })
  if (!(made instanceof PublicKeyCredential)) throw new Error('no passkey was created')
  const { approver } = await service.enrolPasskey(name, code, made.toJSON())
  choosePasskey(approver.id)
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16))
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
}

const KEY = 'countersign-passkey'
const listeners = new Set<() => void>()

/** The approver whose passkey this browser uses; null if none was chosen, created or used yet. */
function chosenPasskey(): string | null {
  return localStorage.getItem(KEY)
}

/** Null uses any passkey that responds. */
export function choosePasskey(id: string | null): void {
  if (id === chosenPasskey()) return
  if (id === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, id)
  for (const listener of listeners) listener()
}

export function useChosenPasskey(): string | null {
  return useSyncExternalStore(subscribe, chosenPasskey)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
