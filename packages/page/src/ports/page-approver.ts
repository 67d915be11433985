import type { Approver, Approvers } from '@countersign/core'

/** The only approver: the person at this browser, by its key. */
export function openApprovers(key: { readonly keyId: string; readonly publicKey: string }, name: string): Approvers {
  const person: Approver = { id: key.keyId, name, kind: 'ed25519', publicKey: key.publicKey }
  return { find: (id) => (id === person.id ? person : undefined), list: async () => [person] }
}
