import { isJsonObject } from '../../call/json/json.ts'
import { USUAL_RETENTION } from '../../policy/load/merged-settings.ts'
import type { Backups, BackupTarget } from '../../ports/backups.ts'
import { placeOf } from '../../risk/path/category.ts'
import { changedTargets } from '../changed-targets.ts'
import { type CheckAnswer, type Checker, type CheckInput, type Finding, numberOf } from '../checker.ts'

/** Names the check whose passing makes `execute` keep a copy. */
export const BACKUP = 'backup'

/** Kinds of calls that change something for certain: not to know what is not to have a copy. */
const CHANGING: ReadonlySet<string> = new Set(['write', 'delete', 'move'])

/**
 * Whether a copy can be made of what the call changes. Decided here; made in execute, after the last look. Where a rule
 * names the check, a call without a copy needs a person; where only the preset does, it gets a warning.
 */
export function backupChecker(backups: Backups): Checker {
  return {
    name: BACKUP,
    timeoutMs: 10_000,
    async check(input) {
      const { known, unknown } = changedTargets(input)
      const isRequired = input.presetChecks?.includes(BACKUP) !== true
      const gap = gapOf(unknown, input)
      if (gap !== null && (isRequired || known.length === 0)) return without(gap, isRequired)
      if (known.length === 0) return { status: 'skip', message: 'it does not name a file that it changes' }
      const found = await backups.measure(known, backupBounds(input), input.retention ?? USUAL_RETENTION)
      const isRegenerable = known.every(({ real }) => placeOf(real, input.places) === 'regenerable')
      return found.kind === 'possible'
        ? possible(found, known, gap ?? opaqueIn(input.risk))
        : refusedCopy(found, isRequired, isRegenerable)
    },
  }
}

/** The largest copy that the rules allow. */
export function backupBounds({ settings }: Pick<CheckInput, 'settings'>): { files: number; bytes: number } {
  return { files: numberOf(settings, 'backup', 'files'), bytes: numberOf(settings, 'backup', 'most') }
}

/** Whether this finding promises a copy. One that takes more room than there is needs a person's approval. */
export function promisesCopy({ status, details }: Finding, approved: boolean): boolean {
  if (status === 'pass') return true
  const copy = isJsonObject(details) ? details['copy'] : undefined
  return copy === 'known-files' || (copy === 'if-approved' && approved)
}

/** What could not be seen of the scripts that a command runs; null if they were seen through. */
function opaqueIn({ parts }: CheckInput['risk']): string | null {
  const [opaque] = parts.flatMap(({ command: { inside } }) => inside?.opaque ?? [])
  return opaque === undefined ? null : `it is unknown what else it changes: ${opaque}`
}

/** What is unknown about the call's changes; null if nothing is. */
function gapOf(unknown: readonly string[], { call, risk }: CheckInput): string | null {
  const [first] = unknown
  if (first !== undefined) return `it is unknown which files \`${first}\` means`
  if (!risk.understood) return 'it is unknown what the command changes'
  return risk.paths.length === 0 && CHANGING.has(call.descriptor.kind) ? 'it is unknown what it changes' : null
}

function without(why: string, isRequired: boolean): CheckAnswer {
  if (!isRequired) return { status: 'warn', message: `no undo: ${why}` }
  return {
    status: 'fail',
    message: `no undo: ${why}`,
    suggestion: 'name each file, or approve it without a copy',
    overridable: true,
  }
}

/** Files that can be made again are not worth a question. Copies made lately are: they are never replaced. */
function refusedCopy(found: Refused, isRequired: boolean, isRegenerable: boolean): CheckAnswer {
  if (isRegenerable) return { status: 'warn', message: `no undo, but it can be recreated: ${found.why}` }
  if (found.kind === 'impossible') return without(found.why, isRequired)
  return {
    status: 'fail',
    message: `no room for a copy: ${found.why}`,
    suggestion: 'approve it to keep one more copy, or raise `defaults: { backups: { most: 1GB } }`',
    details: { copy: 'if-approved' },
    overridable: true,
  }
}

type Found = Awaited<ReturnType<Backups['measure']>>
type Refused = Exclude<Found, { readonly kind: 'possible' }>

function possible(
  found: Extract<Found, { kind: 'possible' }>,
  known: readonly BackupTarget[],
  gap: string | null,
): CheckAnswer {
  const { files, bytes, absent } = found
  const details = { files, bytes, absent, targets: known.length }
  if (gap !== null)
    return { status: 'warn', message: `undo is incomplete: ${gap}`, details: { ...details, copy: 'known-files' } }
  if (files === 0 && known.every(({ use }) => use === 'delete'))
    return { status: 'skip', message: 'there is nothing to copy', details }
  if (files === 0) return { status: 'pass', message: 'it creates something new; undo removes it', details }
  const made = absent === 0 ? '' : `, and ${countWords(absent, 'new name')} noted`
  return {
    status: 'pass',
    message: `a copy of ${countWords(files, 'file')}, ${sizeWords(bytes)}, will be made${made}`,
    details,
  }
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** A size in words people use: `12 KB`. */
export function sizeWords(bytes: number): string {
  let amount = bytes
  let unit = 0
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024
    unit += 1
  }
  if (unit === 0) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  return `${amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${UNITS[unit]}`
}

/** A count with its noun: `1 file`, `3 files`. */
export function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
