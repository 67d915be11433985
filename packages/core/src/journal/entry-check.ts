import { canonicalJson } from '../call/json/canonical.ts'
import { type Damage, damage } from './damage.ts'
import { type JournalEntry, parseEntry } from './entry.ts'
import { type Hasher, leafHash } from './merkle.ts'

/** One entry as found: a row of a store has a number and a hash of its own, a line of an export has neither. */
export interface FoundEntry {
  readonly seq?: number
  readonly line: string
  readonly leaf?: string
}

/** What a single entry proves to be, at the place `seq`. */
export type EntryCheck =
  | { readonly kind: 'good'; readonly leaf: string; readonly entry: JournalEntry }
  /** Changed, or no entry at all. */
  | { readonly kind: 'bad'; readonly damage: Damage }
  /** Sound by itself, but another's: which damage it is depends on what follows. */
  | { readonly kind: 'misplaced'; readonly leaf: string; readonly claims: number; readonly hashFits: boolean }

/** Checks one entry at its place: hash, form and number. */
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

/** Names the damage of a misplaced entry from the entries after it: whether the one that belongs here comes later. */
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
    // A line of an export whose neighbour stands where it should was not moved: its number was changed.
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
