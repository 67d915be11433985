import { isDeepStrictEqual } from 'node:util'
import { CountersignError, type Json, type JsonObject } from '@countersign/core'
import type { Home } from '@countersign/node'
import { isObject } from '../../json/value.ts'
import type { Client } from '../config/clients.ts'
import { type ConfigFile, isWritable, replaceConfigFile } from '../config/file.ts'
import { type PlacedFile, readConfigText } from '../config/placed-file.ts'
import { applyEdits, type ConfigText, type Edit, type ServerEntry } from '../config/text.ts'
import { keepBackup, keepRest, type WrappedFile } from '../entry/backups.ts'
import type { EntryFate } from '../entry/edit-result.ts'
import { diffEntries, shownEntry } from './entry-diff.ts'

/** What would become of one server. */
export interface PlannedServer {
  readonly name: string
  readonly path: readonly string[]
  /** The name in policies; null where nothing changes. */
  readonly label: string | null
  /** Why it is left as it is; null where it changes. */
  readonly left: string | null
  /** It is what it was before it was wrapped, byte for byte. */
  readonly isRestored: boolean
  /** What a person should know besides. */
  readonly notes: readonly string[]
  /** It has an address: where that wants a sign-in, a person signs in once. */
  readonly isOverHttp: boolean
  /** The change line by line, secrets covered. Untrusted text. */
  readonly lines: ReturnType<typeof diffEntries>
}

/** What would become of one file. Nothing is done yet. */
export interface ConfigPlan {
  readonly client: Client
  readonly file: ConfigFile
  readonly servers: readonly PlannedServer[]
  /** What a person should know of all of them. */
  readonly notes: readonly string[]
  readonly after: string
  /** The whole file goes back to what it was, byte for byte. */
  readonly restores: boolean
  /** What is kept for unwrapping: of wrapping what was done, of unwrapping what is left to do. */
  readonly record: { readonly kind: 'made' | 'rest'; readonly file: Omit<WrappedFile, 'at'> }
}

/** Writes a plan. What is needed to take it back is there before the file changes. */
export function applyPlan(plan: ConfigPlan, home: Home, now: number): void {
  if (plan.after === plan.file.text) return
  const file = { ...plan.record.file, at: now }
  const undo = plan.record.kind === 'rest' ? () => {} : keepBackup(home, file)
  try {
    replaceConfigFile(plan.file, plan.after)
  } catch (error) {
    undo()
    throw error
  }
  if (plan.record.kind === 'rest') keepRest(home, file)
}

/** What becomes of one server, before the text is made. */
export interface EntryPlan {
  readonly entry: ServerEntry
  readonly label: string | null
  readonly notes: readonly string[]
  readonly fate: EntryFate | { readonly kind: 'kept'; readonly text: string }
}

/** Makes the text of a plan and reads it again. */
export function finishPlan(
  { client, place }: PlacedFile,
  file: ConfigFile,
  config: ConfigText,
  fates: readonly EntryPlan[],
  recordOf: (after: ConfigText) => ConfigPlan['record'],
): ConfigPlan {
  const edits = fates.flatMap(({ entry, fate }): readonly Edit[] =>
    fate.kind === 'edit' ? fate.edits : fate.kind === 'kept' ? [{ ...entry.span, text: fate.text }] : [],
  )
  const text = applyEdits(config.text, edits)
  const after = readConfigText(text, place)
  // INVARIANT: what was edited reads as what was meant, and everything else reads as before; else nothing is written.
  if (typeof after === 'string' || !isMeant(config, after, fates))
    throw new CountersignError('CS_CLIENT_CONFIG', `\`${file.path}\` cannot be edited safely; edit its servers by hand`)
  const servers = fates.map(({ entry, label, notes, fate }): PlannedServer => {
    const now = fate.kind === 'left' ? undefined : sameEntry(after, entry)
    return {
      name: entry.name,
      path: entry.path,
      label: fate.kind === 'left' ? null : label,
      left: fate.kind === 'left' ? fate.why : null,
      isRestored: fate.kind === 'kept',
      notes: fate.kind === 'edit' ? [...notes, ...(fate.notes ?? [])] : notes,
      isOverHttp: fate.kind === 'edit' && 'url' in fate.inner,
      lines: now === undefined ? [] : diffEntries(shownEntry(config, entry), shownEntry(after, now)),
    }
  })
  const notes = text === file.text || isWritable(file) ? [] : ['it is read-only, and is not replaced as long as it is']
  return { client, file, servers, notes, after: text, restores: false, record: recordOf(after) }
}

function isMeant(config: ConfigText, after: ConfigText, fates: readonly EntryPlan[]): boolean {
  let data: JsonObject = config.data
  for (const { entry, fate } of fates) {
    if (fate.kind === 'edit') data = withAt(data, entry.path, fate.data)
    if (fate.kind === 'kept') data = withAt(data, entry.path, sameEntry(after, entry)?.data ?? null)
  }
  return isSameData(data, after.data)
}

function withAt(data: JsonObject, [key = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = data[key]
  return { ...data, [key]: rest.length === 0 || !isObject(inner) ? value : withAt(inner, rest, value) }
}

/** Whether two readings hold the same: parsers give objects of different prototypes. */
export function isSameData(one: JsonObject, other: JsonObject): boolean {
  return isDeepStrictEqual(plain(one), plain(other))
}

function plain(value: Json): unknown {
  return JSON.parse(JSON.stringify(value))
}

export function sameEntry(config: ConfigText, { path }: ServerEntry): ServerEntry | undefined {
  return config.entries.find((entry) => isDeepStrictEqual(entry.path, path))
}
