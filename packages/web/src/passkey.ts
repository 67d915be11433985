import type { PasskeySigner } from '@countersign/react'
import type { Me } from './service.ts'
import { service } from './service.ts'

/** A passkey that was made for this site and enrolled. */
function passkeysHere(me: Me): readonly { readonly id: string; readonly credential: string }[] {
  return me.approvers.flatMap(({ id, passkey }) =>
    passkey !== undefined && passkey.site === location.hostname ? [{ id, credential: passkey.credential }] : [],
  )
}

/** Whether a passkey of this site may decide. */
export function hasPasskey(me: Me | undefined): boolean {
  return me !== undefined && passkeysHere(me).length > 0
}

/** Signs a decision with one of this site's passkeys: the hash of its message is the challenge. */
export const signWithPasskey: PasskeySigner = async (messageFor) => {
  const known = passkeysHere(await service.me())
  const [only] = known
  if (only === undefined) throw new Error('no passkey is enrolled for this address; add one first')
  // The message names who signs it, so the passkey must be known before: the first of this site that the browser has.
  for (const { id, credential } of known) {
    const given = await navigator.credentials.get({
      publicKey: {
        challenge: fromHex(messageFor(id)),
        rpId: location.hostname,
        allowCredentials: [{ type: 'public-key', id: fromBase64Url(credential) }],
        userVerification: 'required',
      },
    })
    if (given instanceof PublicKeyCredential) return { approver: id, signature: JSON.stringify(given.toJSON()) }
  }
  throw new Error('no passkey answered; nothing was decided')
}

/** Makes a passkey for this site and enrols it with a code from a terminal. */
export async function enrolPasskey(name: string, code: string): Promise<void> {
  const options = await service.passkeyOptions()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = await navigator.credentials.create({ publicKey })
  if (!(made instanceof PublicKeyCredential)) throw new Error('no passkey was made')
  await service.enrolPasskey(name, code, made.toJSON())
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16))
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
}
