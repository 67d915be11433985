import {
  type Call,
  CountersignError,
  type Crypto,
  canonicalJson,
  countWords,
  type JsonObject,
  type Store,
  safeText,
  type UnseenChange,
} from '@countersign/core'
import type { Home } from '../home/home.ts'
import { listBackups } from './backups-folder.ts'
import type { BackupRef, UndoPlan, UndoStep } from './undo-plan.ts'

/** Maximum number of steps listed in the call. */
const MOST_NAMED = 1_000

/** The undo as an ordinary call: judged, held if needed, recorded, and with its own backup. */
export function undoCall(
  plan: UndoPlan,
  ref: BackupRef,
  { crypto, workspace }: { readonly crypto: Pick<Crypto, 'randomId' | 'sha256'>; readonly workspace: string },
): { readonly call: Call & { readonly id: string }; readonly args: JsonObject } {
  const args = argsOf(plan, ref, crypto)
  const isDelete = plan.steps.some(({ does }) => does === 'remove')
  const call = {
    id: crypto.randomId(),
    tool: 'undo',
    source: 'builtin',
    args,
    cwd: workspace,
    description: { kind: isDelete ? 'delete' : 'write', paths: plan.targets },
    preview: () => plan.steps.map(stepWords),
    requiresConfirmation: true,
  } as const
  return { call, args }
}

/** Refuses arguments that were edited: a plan is undone as it was shown. */
export function refuseEdited(frozen: JsonObject, args: JsonObject): void {
  if (canonicalJson(frozen) !== canonicalJson(args))
    throw new CountersignError('CS_STALE', 'an undo can’t be edited; reject it and undo another call')
}

/** Refuses to overwrite later changes without `--force`. */
export function refuseChanged({ steps }: UndoPlan, isForced: boolean): void {
  const later = steps.find(({ since }) => since !== 'same')
  if (later === undefined || isForced) return
  const how = later.since === 'changed' ? 'was changed after the call' : 'may have changed after the call'
  throw new CountersignError('CS_STALE', `\`${later.path}\` ${how}; check it, then use \`--force\` to overwrite it`)
}

/** The arguments of the call. Steps beyond the maximum are bound by a hash. */
function argsOf({ call, steps }: UndoPlan, { name, manifest }: BackupRef, crypto: Pick<Crypto, 'sha256'>): JsonObject {
  const words = steps.map(stepWords)
  const more = words.length - MOST_NAMED
  const rest = more > 0 ? { more: countWords(more, 'more change'), plan: crypto.sha256(canonicalJson(words)) } : {}
  return { call, copy: name, manifest, steps: words.slice(0, MOST_NAMED), ...rest }
}

const DOES = { change: 'restore', 'bring-back': 'recreate', remove: 'remove' } as const
const SINCE = { same: '', changed: ', changed since', unknown: ', possibly changed since' } as const

/** One step in words: `restore /srv/app/a.txt`. */
export function stepWords({ does, path, type, since }: UndoStep): string {
  const what = type === 'file' ? '' : ` the ${type}`
  return `${DOES[does]}${what} ${path}${SINCE[since]}`
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
  return { ...ref, only: `${workspace}/${path}` }
}

/** The last backup of a call, with name and hash from the journal; undefined if there is none. */
export async function journaledBackup(
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
export function unknownBackup(call: string, home: Home): CountersignError {
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
