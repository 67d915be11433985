import { CountersignError, safeText } from '@countersign/core'
import { type BackupRef, listBackups, type OpenedGate } from '@countersign/node'
import { idOf } from '../short-id.ts'

const WORDS = { what: 'call with a copy', list: 'countersign undo --list', code: 'CS_BACKUP' } as const

/** The copy of the one call a person means: its name and its hash, as the journal has them. */
export async function findBackup(typed: string, { home, ports }: OpenedGate): Promise<BackupRef & { call: string }> {
  const call = idOf(typed, [...new Set(listBackups(home).map((kept) => kept.call))], WORDS)
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
