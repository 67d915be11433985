import { parseEntry } from '../../journal/entry.ts'
import type { Store } from '../../ports/store.ts'

const PAGE = 1000

/**
 * Whether a call may have been started since the journal had `after` entries. The row can be put back to an earlier
 * state, with the decision that was spent on it; the journal cannot, without showing. SECURITY: A9, what was archived
 * meanwhile, or has a gap, can no longer be ruled out.
 */
export async function wasStarted(callId: string, after: number, store: Store): Promise<boolean> {
  const { size } = await store.head()
  if (size < after || ((await store.spans()).at(-1)?.to ?? 0) > after) return true
  for (let from = after + 1; from <= size; from += PAGE) {
    const to = Math.min(size, from + PAGE - 1)
    const page = await store.entries(from, to)
    if (page.length !== to - from + 1 || page.some(({ line }) => isStart(line, callId))) return true
  }
  return false
}

function isStart(line: string, callId: string): boolean {
  if (!line.includes(callId)) return false
  const entry = parseEntry(line)
  return entry === undefined || (entry.call === callId && entry.kind === 'started')
}
