import { countWords, type SafeText, type Store, safeText } from '@countersign/core'
import {
  type BackupRef,
  type Home,
  journaledBackup,
  listBackups,
  type OpenedGate,
  stepWords,
  type UndoPlan,
  unknownBackup,
} from '@countersign/node'
import { timeText } from '@countersign/terminal/card'
import { callName, findCall, type NamedCall } from '../arguments/ids.ts'

const SHOWN = 200

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
  const kept = await journaledBackup(call, ports.store)
  if (kept === undefined) throw unknownBackup(call, home)
  return { call, ...kept }
}
