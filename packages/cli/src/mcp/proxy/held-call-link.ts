import { markOf, safeText } from '@countersign/core'
import type { Pointer } from '@countersign/mcp'
import { controlService, type OpenedGate } from '@countersign/node'
import { homeFlag } from '../../home/inbox-address.ts'

/** Where a person decides on a held call; null when it is not held. */
export async function heldPointer(callId: string, { home, ports }: OpenedGate): Promise<Pointer | null> {
  const row = await ports.store.call(callId)
  if (row?.state !== 'held' || row.requestDigest === null) return null
  const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
  const status = answer !== undefined && 'status' in answer ? answer.status : null
  const mark = safeText(markOf({ requestDigest: row.requestDigest }))
  const base = status === null ? null : (status.publicUrl ?? status.url)
  return {
    message: `${safeText(row.tool)} waits for a person, held as ${mark}. Decide in the inbox or with \`countersign approve ${mark}${homeFlag(home)}\`; an answer here decides nothing.`,
    url: base === null ? null : new URL(`/held/${encodeURIComponent(callId)}`, base).href,
  }
}
