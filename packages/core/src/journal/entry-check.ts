import { canonicalJson } from '../call/json/canonical.ts'
import { type Damage, damage } from './damage.ts'
import { type JournalEntry, parseEntry } from './entry.ts'
import { type Hasher, leafHash } from './merkle.ts'

/** An entry to check. A row of a store also has a sequence number and a stored hash, a line of an export has neither. */
export interface FoundEntry {
  readonly seq?: number
  readonly line: string
  readonly leaf?: string
}

/** The result of checking one entry at position `seq`. */
export type EntryCheck =
  | { readonly kind: 'good'; readonly leaf: string; readonly entry: JournalEntry }
  /** Changed, or not an entry. */
  | { readonly kind: 'bad'; readonly damage: Damage }
  /** A valid entry of another position: the entries after it show which damage this is. */
  | { readonly kind: 'misplaced'; readonly leaf: string; readonly claims: number; readonly hashFits: boolean }

/** Checks hash, form and sequence number of one entry. */
export function checkEntry(found: FoundEntry, seq: number, crypto: Hasher): EntryCheck {
  const leaf = leafHash(found.line, crypto)
  const hashFits = found.leaf === undefined || found.leaf === leaf
  const entry = parseEntry(found.line)
  if (entry !== undefined && entry.seq > seq && isCanonical(entry, found.line))
    return { kind: 'misplaced', leaf, claims: entry.seq, hashFits }
  if (!hashFits) return { kind: 'bad', damage: damage('changed', seq) }
  if (entry === undefined || !isCanonical(entry, found.line))
    return { kind: 'bad', damage: damage('not-canonical', seq) }
  if (entry.seq !== seq) return { kind: 'misplaced', leaf, claims: entry.seq, hashFits }
  return { kind: 'good', leaf, entry }
}

/** Names the damage of a misplaced entry by reading on: does the entry that belongs here come later? */
export async function nameMisplaced(
  found: EntryCheck & { readonly kind: 'misplaced' },
  seq: number,
  rest: AsyncIterator<FoundEntry>,
): Promise<Damage> {
  let nextFits = false
  for (let next = await rest.next(), at = seq + 1; next.done !== true; next = await rest.next(), at++) {
    const { line, leaf } = next.value
    const claims = parseEntry(line)?.seq
    if (found.hashFits ? claims === seq && found.claims > seq : leaf === found.leaf) {
      return damage('swapped', seq, seq, `with entry ${next.value.seq ?? at}`)
    }
    // In an export: if the next line is in place, this one was not moved, but its number was changed.
    if (at === seq + 1) nextFits = leaf === undefined && claims === at
    if (found.claims < seq) break
  }
  if (nextFits || !found.hashFits) return damage('changed', seq)
  if (found.claims < seq) return damage('doubled', seq, seq, `a copy of entry ${found.claims}`)
  return damage('missing', seq, found.claims - 1)
}

function isCanonical(entry: JournalEntry, line: string): boolean {
  try {
    return canonicalJson(entry) === line
  } catch {
    return false
  }
}
