import { CountersignError, countWords, type Store, safeText, type UnseenChange } from '@countersign/core'
import type { Home } from '../home/home.ts'
import { listBackups } from './backups-folder.ts'
import { type BackupRef, MOST_UNDONE } from './undo-plan.ts'

/** The backup of a call; refused if the journal does not know it. */
export async function backupOfCall(call: string, home: Home, store: Pick<Store, 'entriesOf'>): Promise<BackupRef> {
  const kept = await journaledBackup(call, store)
  if (kept === undefined) throw unknownBackup(call, home)
  return kept
}

/**
 * The backups of all calls since a time that changed files of a workspace only, and how many others there were. Undos are
 * included: they are changes like any other.
 */
export async function backupsSince(
  since: number,
  workspace: string,
  home: Home,
  store: Pick<Store, 'entriesOf'>,
): Promise<{ readonly calls: readonly string[]; readonly refs: readonly BackupRef[]; readonly elsewhere: number }> {
  const kept = listBackups(home).filter(({ madeAt }) => madeAt >= since)
  const inside = kept.filter(({ targets }) => targets.every((path) => `${path}/`.startsWith(`${workspace}/`)))
  const calls = [...new Set(inside.map(({ call }) => call))]
  if (calls.length > MOST_UNDONE)
    throw new CountersignError(
      'CS_USAGE',
      `${countWords(calls.length, 'call')} changed files since then; undo at most ${MOST_UNDONE} at once`,
    )
  const refs = await Promise.all(calls.map((call) => backupOfCall(call, home, store)))
  return { calls, refs, elsewhere: kept.length - inside.length }
}

/** The backup that has what a person saw last of a file with an unseen change, and only that file of it. */
export async function backupOfChange(
  { path, backup }: Pick<UnseenChange, 'path' | 'backup'>,
  workspace: string,
  home: Home,
  store: Pick<Store, 'entriesOf'>,
): Promise<BackupRef> {
  if (backup === null)
    throw new CountersignError(
      'CS_BACKUP',
      `there is no copy of \`${safeText(path)}\`; restore it from version control`,
    )
  const kept = listBackups(home).find(({ name }) => name === backup)
  const ref = kept === undefined ? undefined : await journaledBackup(kept.call, store)
  if (kept === undefined || (ref !== undefined && ref.name !== backup))
    throw new CountersignError('CS_BACKUP', 'the copy is gone: copies are deleted after a while; use version control')
  if (ref === undefined) throw unknownBackup(kept.call, home)
  return { ...ref, only: [`${workspace}/${path}`] }
}

/** The last backup of a call, with name and hash from the journal; undefined if there is none. */
async function journaledBackup(
  call: string,
  store: Pick<Store, 'entriesOf'>,
): Promise<Pick<BackupRef, 'name' | 'manifest'> | undefined> {
  const entries = await store.entriesOf(call)
  const [kept] = entries
    .map(({ line }): unknown => JSON.parse(line))
    .filter(isBackupEntry)
    .reverse()
  return kept === undefined ? undefined : { name: kept.name, manifest: kept.manifest }
}

/** SECURITY: A3 a backup without a journal entry may contain anything. */
function unknownBackup(call: string, home: Home): CountersignError {
  return new CountersignError(
    'CS_BACKUP',
    `the journal has no backup entry for \`${safeText(call.slice(0, 64))}\`; restore it by hand from \`${safeText(home.backups)}\``,
  )
}

function isBackupEntry(entry: unknown): entry is { readonly name: string; readonly manifest: string } {
  if (typeof entry !== 'object' || entry === null) return false
  const { kind, name, manifest } = entry as { readonly [field: string]: unknown }
  return kind === 'backup' && typeof name === 'string' && /^[\w-]+$/.test(name) && typeof manifest === 'string'
}
