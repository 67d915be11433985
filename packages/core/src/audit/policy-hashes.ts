import type { JournalEntry } from '../journal/entry.ts'

/** The policy versions that an entry names as in force. */
export function policyHashesOf(entry: JournalEntry): readonly string[] {
  const hash = hashIn(entry)
  return typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) ? [hash] : []
}

function hashIn(entry: JournalEntry): unknown {
  switch (entry.kind) {
    case 'judged':
    case 'opened':
      return entry['policy']
    case 'policy-changed':
    case 'policy-refused':
      return entry['hash']
    default:
      return undefined
  }
}
