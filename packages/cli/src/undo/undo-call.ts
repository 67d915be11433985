import {
  type Call,
  CountersignError,
  canonicalJson,
  countWords,
  type JsonObject,
  type SafeText,
  type Store,
  safeText,
} from '@countersign/core'
import {
  type BackupRef,
  type Home,
  listBackups,
  type OpenedGate,
  type UndoPlan,
  type UndoStep,
} from '@countersign/node'
import { timeText } from '@countersign/terminal/card'
import { callName, findCall, type NamedCall } from '../arguments/ids.ts'

/** Maximum number of steps listed in the call. */
const MOST_NAMED = 1_000

/** The undo as an ordinary call: judged, held if needed, recorded, and with its own backup. */
export function undoCall(
  plan: UndoPlan,
  ref: BackupRef,
  opened: OpenedGate,
): { readonly call: Call & { readonly id: string }; readonly args: JsonObject } {
  const args = argsOf(plan, ref, opened)
  const isDelete = plan.steps.some(({ does }) => does === 'remove')
  const call = {
    id: opened.ports.crypto.randomId(),
    tool: 'undo',
    source: 'builtin',
    args,
    cwd: opened.places.workspace,
    description: { kind: isDelete ? 'delete' : 'write', paths: plan.targets },
    preview: () => plan.steps.map(stepWords),
    requiresConfirmation: true,
  } as const
  return { call, args }
}

/** Refuses to overwrite later changes without `--force`. */
export function refuseChanged({ steps }: UndoPlan, isForced: boolean): void {
  const later = steps.find(({ since }) => since !== 'same')
  if (later === undefined || isForced) return
  const how = later.since === 'changed' ? 'was changed after the call' : 'may have changed after the call'
  throw new CountersignError('CS_STALE', `\`${later.path}\` ${how}; check it, then use \`--force\` to overwrite it`)
}

/** The arguments of the call. Steps beyond the maximum are bound by a hash. */
function argsOf({ call, steps }: UndoPlan, { name, manifest }: BackupRef, { ports }: OpenedGate): JsonObject {
  const words = steps.map(stepWords)
  const more = words.length - MOST_NAMED
  const rest =
    more > 0 ? { more: countWords(more, 'more change'), plan: ports.crypto.sha256(canonicalJson(words)) } : {}
  return { call, copy: name, manifest, steps: words.slice(0, MOST_NAMED), ...rest }
}

const DOES = { change: 'restore', 'bring-back': 'recreate', remove: 'remove' } as const
const SINCE = { same: '', changed: ', changed since', unknown: ', possibly changed since' } as const
const SHOWN = 200

/** One step in words: `restore /srv/app/a.txt`. */
function stepWords({ does, path, type, since }: UndoStep): string {
  const what = type === 'file' ? '' : ` the ${type}`
  return `${DOES[does]}${what} ${path}${SINCE[since]}`
}

/** The plan of an undo as text. */
export function planLines(plan: UndoPlan, call: NamedCall): readonly SafeText[] {
  const heading = `undo ${callName(call)}, back to ${timeText(plan.madeAt)}:`
  const steps = plan.steps.slice(0, SHOWN).map((step) => `  ${stepWords(step)}`)
  const more = plan.steps.length - steps.length
  const left = plan.left.slice(0, SHOWN).map((path) => `  keep ${path}, created later by something else`)
  return [heading, ...steps, ...(more > 0 ? [`  and ${countWords(more, 'more change')}`] : []), ...left].map(safeText)
}

const WORDS = { what: 'call with a backup', list: 'countersign undo --list', code: 'CS_BACKUP' } as const

/** The calls that have a backup. */
export async function undoableCalls(home: Home, store: Pick<Store, 'call'>): Promise<readonly NamedCall[]> {
  const ids = [...new Set(listBackups(home).map((kept) => kept.call))]
  const rows = await Promise.all(ids.map((id) => store.call(id)))
  return ids.map((id, at) => ({ id, requestDigest: rows[at]?.requestDigest ?? null }))
}

/** Finds the backup of a call, with name and hash from the journal. */
export async function findBackup(typed: string, { home, ports }: OpenedGate): Promise<BackupRef & { call: string }> {
  const call = findCall(typed, await undoableCalls(home, ports.store), WORDS)
  const entries = await ports.store.entriesOf(call)
  const [kept] = entries
    .map(({ line }): unknown => JSON.parse(line))
    .filter(isBackupEntry)
    .reverse()
  // SECURITY: A3 a backup without a journal entry may contain anything.
  if (kept === undefined)
    throw new CountersignError(
      'CS_BACKUP',
      `the journal has no backup entry for \`${safeText(call.slice(0, 64))}\`; restore it by hand from \`${safeText(home.backups)}\``,
    )
  return { call, name: kept.name, manifest: kept.manifest }
}

function isBackupEntry(entry: unknown): entry is { readonly name: string; readonly manifest: string } {
  if (typeof entry !== 'object' || entry === null) return false
  const { kind, name, manifest } = entry as { readonly [field: string]: unknown }
  return kind === 'backup' && typeof name === 'string' && /^[\w-]+$/.test(name) && typeof manifest === 'string'
}
