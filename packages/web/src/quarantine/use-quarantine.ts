import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Quarantined, service } from '../api/service.ts'
import { useDesk } from '../approvals/context.ts'

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
