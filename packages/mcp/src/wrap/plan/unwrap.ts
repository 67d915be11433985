import type { Home } from '@countersign/node'
import { openConfig, type PlacedFile, readConfigText, readEntryText } from '../config/placed-file.ts'
import { type ConfigText, type ServerEntry, textOf } from '../config/text.ts'
import { readBackup, type WrappedFile } from '../entry/backups.ts'
import { looksGated } from '../entry/command-line-parser.ts'
import { gateLineOf, keptText, launchersIn } from '../entry/gate-status.ts'
import type { Installation } from '../entry/installation.ts'
import { placeProblem, wordsOf } from '../entry/server-command.ts'
import { type ConfigPlan, type EntryPlan, finishPlan, isSameData } from './plan.ts'
import { unwrapEntry } from './unwrap-entry.ts'

export interface UnwrapOptions {
  readonly installation: Installation
  /** The spellings of the home whose records these are; null where that is the account's own, which a line does not name. */
  readonly homes: readonly (string | null)[]
  /** Only these servers, and those also when their gate was not made by `wrap`; all that were wrapped when empty. */
  readonly only: readonly string[]
}

/** What unwrapping would do to a file; undefined when there is none, or nothing like a gate is in it. */
export function planUnwrap(placed: PlacedFile, home: Home, options: UnwrapOptions): ConfigPlan | undefined {
  const opened = openConfig(placed)
  if (opened === undefined) return undefined
  const { file, config } = opened
  const record = readBackup(home, file.path)
  const { only } = options
  const fates = config.entries
    .filter(({ name }) => only.length === 0 || only.includes(name))
    .flatMap((entry) => unwrapped(entry, config, placed, options, record) ?? [])
  if (fates.length === 0) return undefined
  const plan = finishPlan(placed, file, config, fates, () => ({
    kind: 'rest',
    file: {
      path: file.path,
      before: record?.before ?? '',
      after: record?.after ?? '',
      entries: restOf(record, config, fates),
    },
  }))
  const restores = record?.after === file.text && isSameConfig(record.before, plan.after, placed)
  return restores ? { ...plan, after: record.before, restores } : plan
}

/**
 * What becomes of one server; null when nothing in it looks like a gate. INVARIANT: only what `wrap` is known to have written
 * is taken out, or what starts this very program and was named by a person.
 */
function unwrapped(
  entry: ServerEntry,
  config: ConfigText,
  placed: PlacedFile,
  { installation, homes, only }: UnwrapOptions,
  record: WrappedFile | undefined,
): EntryPlan | null {
  const fated = (fate: EntryPlan['fate'], notes: readonly string[] = []): EntryPlan => ({
    entry,
    label: null,
    notes,
    fate,
  })
  const left = (why: string): EntryPlan => fated({ kind: 'left', why })
  const kept = keptText(entry, config, record)
  if (kept?.after === textOf(config, entry)) return fated({ kind: 'kept', text: kept.before })
  const words = wordsOf(entry.data)
  if (words === null || typeof words === 'string') return null
  const { shape } = placed.client
  const launchers = [...(kept === null ? [] : [kept.launcher]), ...launchersIn(placed, installation)]
  const line = gateLineOf(words, launchers, entry.data[shape.env])
  if (line === null) {
    if (!looksGated(words)) return null
    return left(
      kept === null
        ? 'it looks like a gate, but not one that `wrap` made; take it out by hand'
        : 'it was changed since it was wrapped, and what is ours in it cannot be told; take it out by hand',
    )
  }
  if (kept === null && !only.includes(entry.name))
    return left('`wrap` has no record of its gate; name it with `--server` to take it out')
  const problem = placeProblem(entry.data)
  if (problem !== null) return left(problem)
  // Another home wrapped what this one had: the outer gate is not that of the record, which is needed for the one inside.
  if (kept !== null && !homes.includes(line.home)) {
    const whose = line.home === null ? 'the account’s own home' : `the home \`${line.home}\``
    return left(`it was changed since it was wrapped: its gate is one of ${whose}; \`unwrap\` it there first`)
  }
  const was = kept === null ? null : readEntryText(kept.before, entry.style)
  const why = kept === null ? 'there is no record of what it was' : 'it was changed since it was wrapped'
  return fated(unwrapEntry(entry, shape, line, was), [`${why}: only the words of the gate are taken out`])
}

/** What the record holds of servers that stay behind the gate. */
function restOf(
  record: WrappedFile | undefined,
  config: ConfigText,
  fates: readonly EntryPlan[],
): WrappedFile['entries'] {
  const taken = new Set(fates.filter(({ fate }) => fate.kind !== 'left').map(({ entry }) => entry))
  const staying = config.entries.filter((entry) => !taken.has(entry)).map((entry) => keptText(entry, config, record))
  return (record?.entries ?? []).filter((one) => staying.includes(one))
}

/** INVARIANT: what is restored says what was shown, and nothing else changes. */
function isSameConfig(before: string, after: string, { place }: PlacedFile): boolean {
  const [kept, meant] = [readConfigText(before, place), readConfigText(after, place)]
  if (typeof kept === 'string' || typeof meant === 'string') return false
  return isSameData(kept.data, meant.data)
}
