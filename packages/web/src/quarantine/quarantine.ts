import { acceptanceMessage, canonicalJson, type Json, sha256 } from '@countersign/react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Accepted, type Quarantined, type QuarantinedTool, service } from '../api/service.ts'
import { enrolledKey, useDesk } from '../approvals/context.ts'

/** A server changes its tools without telling anybody, so the page looks again while somebody looks at it. */
const AGAIN_MS = 4_000

/** Tools of MCP servers that wait for a person. */
export function useQuarantine(): UseQueryResult<Quarantined> {
  const { link } = useDesk()
  return useQuery({
    queryKey: ['quarantine'],
    queryFn: service.quarantine,
    refetchInterval: AGAIN_MS,
    enabled: link === 'live',
  })
}

/** The hash of a definition, computed from what the page draws. */
export function hashOf(definition: Json): string {
  return sha256(canonicalJson(definition))
}

/** Signs for exactly the definition that is shown, with this browser's key. INVARIANT: L5, by the hash computed here. */
export async function acceptDefinition(tool: QuarantinedTool, at: number): Promise<Accepted> {
  const key = await enrolledKey()
  if (key === null) throw new Error('this browser’s key is not enrolled; nothing was accepted')
  const { label, server, name, definition } = tool
  const claim = { label, server: server.hash, name, hash: hashOf(definition), approver: key.keyId, at }
  return service.accept({ ...claim, signature: await key.sign(acceptanceMessage(claim)) })
}
