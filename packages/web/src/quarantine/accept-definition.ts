import { acceptanceMessage, canonicalJson, type Json, sha256 } from '@countersign/react'
import { type Accepted, service, type WaitingTool } from '../api/service.ts'
import { enrolledKey } from '../approvals/context.ts'

/** The hash of a definition, computed from what the page draws. */
export function hashOf(definition: Json): string {
  return sha256(canonicalJson(definition))
}

/** Signs for exactly the definition that is shown, with this browser's key. INVARIANT: L5, by the hash computed here. */
export async function acceptDefinition(tool: WaitingTool, at: number): Promise<Accepted> {
  const key = await enrolledKey()
  if (key === null) throw new Error('this browser’s key is not enrolled; nothing was accepted')
  const { label, server, name, definition } = tool
  const claim = { label, server: server.hash, name, hash: hashOf(definition), approver: key.keyId, at }
  return service.accept({ ...claim, signature: await key.sign(acceptanceMessage(claim)) })
}
