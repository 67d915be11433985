import { isJsonObject, type Json } from '../call/json/json.ts'
import { CountersignError } from '../errors.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { parseEntry } from '../journal/entry.ts'
import type { EntryKind } from '../journal/entry-kind.ts'
import type { Approver } from '../ports/approvers.ts'

const KEY_KINDS: ReadonlySet<EntryKind> = new Set<EntryKind>(['key-made', 'key-removed', 'key-recovered'])

/** The entry in a line if it enrols or removes an approver's key, or changes the list of gates. */
export function keyEntry(line: string): JournalEntry | undefined {
  if (!line.includes('"kind":"key-') && !line.includes('"kind":"gates-changed"')) return undefined
  const entry = parseEntry(line)
  return entry !== undefined && (KEY_KINDS.has(entry.kind) || entry.kind === 'gates-changed') ? entry : undefined
}

/** What the journal tells of a key at some entry. */
export type KeyState =
  | { readonly kind: 'enrolled'; readonly entry: number }
  | { readonly kind: 'removed'; readonly entry: number }
  /** No entry enrolled it: a local key made on first use, by versions that did not record that. */
  | { readonly kind: 'unrecorded' }

/** INVARIANT: L10 */
const MOST_KEYS = 10_000

/** Which keys were enrolled, entry by entry. */
export class KeyHistory {
  readonly #states = new Map<string, KeyState>()
  readonly #known = new Map<string, Approver>()
  readonly #enrolments = new Map<string, number>()

  take(entry: JournalEntry): void {
    const key = entry['key']
    if (typeof key !== 'string') return
    if (this.#states.size >= MOST_KEYS && !this.#states.has(key) && KEY_KINDS.has(entry.kind))
      throw new CountersignError('CS_JOURNAL_DAMAGED', `entry ${entry.seq}: more than ${MOST_KEYS} keys`)
    switch (entry.kind) {
      case 'key-made':
        this.#enrol(key, entry)
        return
      case 'key-removed':
        this.#learn(key, entry)
        this.#states.set(key, { kind: 'removed', entry: entry.seq })
        return
      case 'key-recovered':
        this.#enrol(key, entry)
        if (typeof entry['replaces'] !== 'string') return
        this.#know({ ...replacedIn(entry), id: entry['replaces'] })
        this.#states.set(entry['replaces'], { kind: 'removed', entry: entry.seq })
        return
      default:
    }
  }

  stateOf(key: string): KeyState {
    return this.#states.get(key) ?? { kind: 'unrecorded' }
  }

  /** The last entry that enrolled a key. */
  enrolmentOf(key: string): number | null {
    return this.#enrolments.get(key) ?? null
  }

  /** Approvers whose public key is in an entry. */
  approvers(): readonly Approver[] {
    return [...this.#known.values()]
  }

  #enrol(key: string, entry: JournalEntry): void {
    this.#learn(key, entry)
    this.#states.set(key, { kind: 'enrolled', entry: entry.seq })
    this.#enrolments.set(key, entry.seq)
  }

  #learn(id: string, entry: JournalEntry): void {
    const { name, of: kind, publicKey, passkey } = entry
    this.#know({ id, name, kind, publicKey, passkey })
  }

  #know(value: object): void {
    const approver = readApprover(value)
    if (approver !== undefined) this.#known.set(approver.id, approver)
  }
}

function replacedIn({ replaced }: JournalEntry): object {
  return isJsonObject(replaced) ? replaced : {}
}

/** The public fields of an approver, as entries about keys record them. */
export function publicFields({ publicKey, passkey }: Approver): { readonly [field: string]: Json } {
  return { publicKey, ...(passkey === undefined ? {} : { passkey: { ...passkey, origins: [...passkey.origins] } }) }
}

/** An approver from untrusted data; undefined when malformed. */
export function readApprover(value: unknown): Approver | undefined {
  if (!isJsonObject(value)) return undefined
  const { id, name, kind, publicKey, passkey } = value
  if (typeof id !== 'string' || typeof name !== 'string' || typeof publicKey !== 'string') return undefined
  if (kind !== 'passkey') return { id, name, kind: 'ed25519', publicKey }
  if (!isJsonObject(passkey)) return undefined
  const { credential, site, origins } = passkey
  if (typeof credential !== 'string' || typeof site !== 'string' || !isTexts(origins)) return undefined
  return { id, name, kind, publicKey, passkey: { credential, site, origins } }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
