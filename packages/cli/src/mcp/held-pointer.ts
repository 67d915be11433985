import { safeText } from '@countersign/core'
import type { Pointer } from '@countersign/mcp'
import { controlService, type OpenedGate } from '@countersign/node'
import { homeFlag } from '../inbox-words.ts'
import { shortId } from '../short-id.ts'

/** Where a person decides on a held call; null when it is not held. */
export async function heldPointer(callId: string, { home, ports }: OpenedGate): Promise<Pointer | null> {
  const row = await ports.store.call(callId)
  if (row?.state !== 'held') return null
  const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
  const status = answer !== undefined && 'status' in answer ? answer.status : null
  const id = shortId(callId)
  const base = status === null ? null : (status.publicUrl ?? status.url)
  return {
    message: `${safeText(row.tool)} waits for a person, held as ${id}. Decide in the inbox or with \`countersign approve ${id}${homeFlag(home)}\`; an answer here decides nothing.`,
    url: base === null ? null : new URL(`/held/${encodeURIComponent(callId)}`, base).href,
  }
}
