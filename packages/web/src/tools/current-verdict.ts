import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type SaidNow, type SeenTool, service } from '../api/service.ts'

/** What the policy in force says of the call of the tool that is held, or of its last one; null where it cannot be told. */
export function useSaysNow({ tool, heldCall, lastCall }: SeenTool, isAsked: boolean): UseQueryResult<SaidNow | null> {
  const call = heldCall ?? lastCall
  return useQuery({
    queryKey: ['says', tool, call],
    queryFn: () => (call === null ? null : service.saysNow(call).catch(() => null)),
    enabled: isAsked,
  })
}

/** What policy gives a call, in a word; what only a grant gives is told as such. */
export function givenWords({
  supervision,
  grant,
}: {
  readonly supervision: string
  readonly grant: string | null
}): string {
  return grant === null ? supervision : `${supervision} by a grant`
}
