import { countWords, sizeWords } from '@countersign/core'
import type { Change } from './measure-change.ts'
import type { TaskLimits } from './task.ts'

/** The changes of a run so far, against its limits. */
export interface Ledger {
  /** Why a change exceeds a limit; null when it fits. Counts nothing. */
  refusal(change: Change): string | null
  /**
   * Counts a change about to be made. Check and count in one step, so that two concurrent changes cannot both take the
   * rest.
   */
  spend(change: Change): string | null
  /** Every changed file with its added and removed lines, in order. */
  changed(): readonly { readonly path: string; readonly lines: number }[]
}

/** Counts over the whole run, before each write. A change that fails stays counted: too much rather than too little. */
export function openLedger({
  files: mostFiles,
  lines: mostLines,
  bytes: mostBytes,
}: Pick<TaskLimits, 'files' | 'lines' | 'bytes'>): Ledger {
  const files = new Map<string, number>()
  let lines = 0
  let bytes = 0

  function refusal(change: Change): string | null {
    const added = change.files.filter(({ path }) => !files.has(path)).length
    const more = sumOf(change, 'lines')
    const wider = sumOf(change, 'bytes')
    if (files.size + added > mostFiles)
      return `it would change ${countWords(files.size + added, 'file')} in all; the task allows ${mostFiles}`
    if (lines + more > mostLines)
      return `it would change ${countWords(lines + more, 'line')} in all; the task allows ${mostLines}`
    if (bytes + wider > mostBytes)
      return `it would change ${sizeWords(bytes + wider)} in all; the task allows ${sizeWords(mostBytes)}`
    return null
  }

  return {
    refusal,
    spend(change) {
      const why = refusal(change)
      if (why !== null) return why
      for (const { path, lines: more } of change.files) files.set(path, (files.get(path) ?? 0) + more)
      lines += sumOf(change, 'lines')
      bytes += sumOf(change, 'bytes')
      return null
    },
    changed: () => [...files].map(([path, count]) => ({ path, lines: count })),
  }
}

function sumOf({ files }: Change, what: 'lines' | 'bytes'): number {
  return files.reduce((sum, file) => sum + file[what], 0)
}
