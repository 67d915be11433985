import { acceptanceMessage, canonicalJson, type Json, sha256 } from '@countersign/react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Accepted, type Quarantined, type QuarantinedTool, service } from '../api/service.ts'
import { enrolledKey, useDesk } from '../approvals/context.ts'

/** Servers change their tools without notice, so the page polls. */
const AGAIN_MS = 4_000

/** The tools in quarantine. */
export function useQuarantine(): UseQueryResult<Quarantined> {
  const { link } = useDesk()
  return useQuery({
    queryKey: ['quarantine'],
    queryFn: service.quarantine,
    refetchInterval: AGAIN_MS,
    enabled: link === 'live',
  })
}

/** The hash of a definition, computed from what the page shows. */
export function hashOf(definition: Json): string {
  return sha256(canonicalJson(definition))
}

/** Signs exactly the shown definition. INVARIANT: L5, with the hash computed here. */
export async function acceptDefinition(tool: QuarantinedTool, at: number): Promise<Accepted> {
  const key = await enrolledKey()
  if (key === null) throw new Error('this browser’s key is not enrolled; nothing was accepted')
  const { label, server, name, definition } = tool
  const claim = { label, server: server.hash, name, hash: hashOf(definition), approver: key.keyId, at }
  return service.accept({ ...claim, signature: await key.sign(acceptanceMessage(claim)) })
}
