import { countWords, type SafeText, type Store, safeText } from '@countersign/core'
import {
  type BackupRef,
  backupOfCall,
  type Home,
  type KeptBackup,
  listBackups,
  type OpenedGate,
  stepWords,
  type UndoPlan,
} from '@countersign/node'
import { timeText } from '@countersign/terminal/card'
import { callName, findCall, type NamedCall } from '../arguments/ids.ts'

const SHOWN = 200

/** The plan of an undo as text. */
export function planLines(plan: UndoPlan, calls: readonly NamedCall[]): readonly SafeText[] {
  const [only] = calls
  const what = only !== undefined && plan.calls.length === 1 ? callName(only) : countWords(plan.calls.length, 'call')
  const steps = plan.steps.slice(0, SHOWN).map((step) => `  ${stepWords(step)}`)
  const more = plan.steps.length - steps.length
  const left = plan.left.slice(0, SHOWN).map((path) => `  keep ${path}, created by something else`)
  const heading = `undo ${what}, back to ${timeText(plan.madeAt)}:`
  return [heading, ...steps, ...(more > 0 ? [`  and ${countWords(more, 'more change')}`] : []), ...left].map(safeText)
}

const WORDS = { what: 'call with a backup', list: 'countersign undo --list', code: 'CS_BACKUP' } as const

/** A call that can be undone, with its backup. */
export interface UndoableCall extends NamedCall {
  readonly backup: KeptBackup
  /** What it did, redacted. */
  readonly summary: string
}

/** The calls that have a backup, newest first. */
export async function undoableCalls(home: Home, store: Pick<Store, 'call'>): Promise<readonly UndoableCall[]> {
  const found: UndoableCall[] = []
  const known = new Set<string>()
  for (const backup of listBackups(home)) {
    if (known.has(backup.call)) continue
    known.add(backup.call)
    const row = await store.call(backup.call)
    found.push({ id: backup.call, requestDigest: row?.requestDigest ?? null, backup, summary: row?.summary ?? '' })
  }
  return found
}

/** The files of a backup in words. */
export function targetWords({ targets }: KeptBackup): string {
  return `${targets[0] ?? ''}${targets.length > 1 ? ` and ${targets.length - 1} more` : ''}`
}

type Sources = Pick<OpenedGate, 'home'> & { readonly ports: { readonly store: Pick<Store, 'call' | 'entriesOf'> } }

/** The backups of calls as typed, with names and hashes from the journal. */
export async function findBackups(typed: readonly string[], { home, ports }: Sources): Promise<readonly BackupRef[]> {
  const known = await undoableCalls(home, ports.store)
  const calls = new Set(typed.map((one) => findCall(one, known, WORDS)))
  return Promise.all([...calls].map((call) => backupOfCall(call, home, ports.store)))
}
