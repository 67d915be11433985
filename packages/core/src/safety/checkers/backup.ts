import type { Backups } from '../../ports/backups.ts'
import { type Changed, changedTargets } from '../changed-targets.ts'
import { type CheckAnswer, type Checker, type CheckInput, numberOf } from '../checker.ts'

/** Names the check whose passing makes `execute` keep a copy. */
export const BACKUP = 'backup'

/** Kinds of calls that change something for certain: not to know what is not to have a copy. */
const CHANGING: ReadonlySet<string> = new Set(['write', 'delete', 'move'])

/** Whether a copy can be made of what the call changes. Decided here; made in execute, after the last look. */
export function backupChecker(backups: Backups): Checker {
  return {
    name: BACKUP,
    timeoutMs: 10_000,
    async check(input) {
      const changed = changedTargets(input)
      if (changed.unknown.length > 0) return cannotTell(`which files \`${changed.unknown[0] ?? ''}\` means`)
      if (!input.risk.understood) return cannotTell('what the command changes')
      if (changed.known.length === 0) return nothingNamed(input)
      return measured(await backups.measure(changed.known, backupBounds(input)), changed)
    },
  }
}

/** The largest copy that the rules allow. */
export function backupBounds({ settings }: Pick<CheckInput, 'settings'>): { files: number; bytes: number } {
  return { files: numberOf(settings, 'backup', 'files'), bytes: numberOf(settings, 'backup', 'most') }
}

function nothingNamed({ call }: CheckInput): CheckAnswer {
  if (CHANGING.has(call.descriptor.kind)) return cannotTell('what it changes')
  return { status: 'skip', message: 'it names no file that it changes' }
}

function cannotTell(what: string): CheckAnswer {
  return {
    status: 'fail',
    message: `no copy can be made: it is unknown ${what}`,
    suggestion: 'name each file, or approve it without a copy',
    overridable: true,
  }
}

function measured(found: Awaited<ReturnType<Backups['measure']>>, { known }: Changed): CheckAnswer {
  if (found.kind === 'impossible')
    return {
      status: 'fail',
      message: `no copy will be made: ${found.why}`,
      suggestion: 'approve it without a copy, or make one yourself first',
      overridable: true,
    }
  const { files, bytes, absent } = found
  const details = { files, bytes, absent, targets: known.length }
  if (files === 0) return { status: 'pass', message: 'it makes something new; undoing removes it', details }
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
