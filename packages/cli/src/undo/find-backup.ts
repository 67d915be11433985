import { CountersignError, type Store, safeText } from '@countersign/core'
import { type BackupRef, type Home, listBackups, type OpenedGate } from '@countersign/node'
import { findCall, type NamedCall } from '../arguments/call-name.ts'

const WORDS = { what: 'call with a copy', list: 'countersign undo --list', code: 'CS_BACKUP' } as const

/** Each call of which a copy is kept, as it can be named. */
export async function keptCalls(home: Home, store: Pick<Store, 'call'>): Promise<readonly NamedCall[]> {
  const ids = [...new Set(listBackups(home).map((kept) => kept.call))]
  const rows = await Promise.all(ids.map((id) => store.call(id)))
  return ids.map((id, at) => ({ id, requestDigest: rows[at]?.requestDigest ?? null }))
}

/** The copy of the one call a person means: its name and its hash, as the journal has them. */
export async function findBackup(typed: string, { home, ports }: OpenedGate): Promise<BackupRef & { call: string }> {
  const call = findCall(typed, await keptCalls(home, ports.store), WORDS)
  const entries = await ports.store.entriesOf(call)
  const [kept] = entries
    .map(({ line }): unknown => JSON.parse(line))
    .filter(isBackupEntry)
    .reverse()
  // SECURITY: A3 a copy that the journal does not know may hold anything.
  if (kept === undefined)
    throw new CountersignError(
      'CS_BACKUP',
      `the journal has no entry of a copy for \`${safeText(call.slice(0, 64))}\`; restore it by hand from \`${safeText(home.backups)}\``,
    )
  return { call, name: kept.name, manifest: kept.manifest }
}

function isBackupEntry(entry: unknown): entry is { readonly name: string; readonly manifest: string } {
  if (typeof entry !== 'object' || entry === null) return false
  const { kind, name, manifest } = entry as { readonly [field: string]: unknown }
  return kind === 'backup' && typeof name === 'string' && /^[\w-]+$/.test(name) && typeof manifest === 'string'
}
