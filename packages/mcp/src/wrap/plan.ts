import { isDeepStrictEqual } from 'node:util'
import { CountersignError, type Json, type JsonObject } from '@countersign/core'
import type { Home } from '@countersign/node'
import { isObject } from '../pins/tool-definition.ts'
import type { Client } from './client-table.ts'
import { type ConfigFile, replaceConfigFile } from './config-file.ts'
import { applyEdits, type ConfigText, type Edit, type ServerEntry } from './config-text.ts'
import type { Labels } from './labels.ts'
import { openConfig, type PlacedFile, readConfigText, wrappedEntry } from './read-config.ts'
import { diffEntries, shownEntry } from './shown-entry.ts'
import { unwrapEntry } from './unwrap-entry.ts'
import { type EntryFate, wrapEntry } from './wrap-entry.ts'
import { dropBackup, keepBackup, readBackup, type WrappedFile } from './wrapped-files.ts'
import { wrapLine } from './wrapped-line.ts'

/** What would become of one server. */
export interface PlannedServer {
  readonly name: string
  readonly path: readonly string[]
  /** The name in policies; null where nothing changes. */
  readonly label: string | null
  /** Why it is left as it is; null where it changes. */
  readonly left: string | null
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
  readonly after: string
  /** The whole file goes back to what it was, byte for byte. */
  readonly restores: boolean
  /** Of wrapping: what is kept for unwrapping. */
  readonly backup: Omit<WrappedFile, 'at'> | null
}

export interface WrapOptions {
  /** The words that start Countersign. */
  readonly launcher: readonly string[]
  /** `--home`, when another than the account's own was named. */
  readonly home: string | undefined
  /** More flags for the proxy. */
  readonly flags: readonly string[]
  /** Only these servers; all when empty. */
  readonly only: readonly string[]
  readonly labels: Labels
}

/** What wrapping would do to a file; undefined when there is none. */
export function planWrap(placed: PlacedFile, options: WrapOptions): ConfigPlan | undefined {
  const opened = openConfig(placed)
  if (opened === undefined) return undefined
  const { file, config } = opened
  const fates = config.entries.map((entry): Fate => {
    if (options.only.length > 0 && !options.only.includes(entry.name))
      return { entry, label: null, fate: { kind: 'left', why: 'it was not asked for' } }
    let label: string | null = null
    const fate = wrapEntry(entry, config.text, placed.client.shape, (inner) => {
      label = options.labels.labelFor(entry.name, inner)
      return wrapLine(options.launcher, { ...options, label }, inner)
    })
    return { entry, label, fate }
  })
  return finish(placed, file, config, fates, (after) => ({
    path: file.path,
    before: file.text,
    after: after.text,
    entries: fates.flatMap(({ entry, fate }) => {
      const now = fate.kind === 'edit' ? sameEntry(after, entry) : undefined
      return now === undefined ? [] : [{ path: entry.path, before: textOf(config, entry), after: textOf(after, now) }]
    }),
  }))
}

/** What unwrapping would do to a file; undefined when there is none, or nothing of ours is in it. */
export function planUnwrap(placed: PlacedFile, home: Home): ConfigPlan | undefined {
  const opened = openConfig(placed)
  if (opened === undefined) return undefined
  const { file, config } = opened
  const backup = readBackup(home, file.path)
  const fates = config.entries.flatMap((entry): readonly Fate[] => {
    if (wrappedEntry(entry, placed.client) === null) return []
    const kept = backup?.entries.find(
      (one) => isDeepStrictEqual(one.path, entry.path) && one.after === textOf(config, entry),
    )
    if (kept === undefined) return [{ entry, label: null, fate: unwrapEntry(entry, placed.client.shape) }]
    return [{ entry, label: null, fate: { kind: 'kept', text: kept.before } }]
  })
  if (fates.length === 0) return undefined
  const plan = finish(placed, file, config, fates, () => null)
  const restores = backup?.after === file.text && isSameConfig(backup.before, plan.after, placed)
  return restores ? { ...plan, after: backup.before, restores } : plan
}

/** INVARIANT: what is restored says what was shown: nothing stays behind the gate, and nothing else changes. */
function isSameConfig(before: string, after: string, { place }: PlacedFile): boolean {
  const [kept, meant] = [readConfigText(before, place), readConfigText(after, place)]
  if (typeof kept === 'string' || typeof meant === 'string') return false
  return isDeepStrictEqual(plain(kept.data), plain(meant.data))
}

/** Writes a plan. The backup is there before the file changes. */
export function applyPlan(plan: ConfigPlan, home: Home, now: number): void {
  if (plan.after === plan.file.text) return
  const undo = plan.backup === null ? () => {} : keepBackup(home, { ...plan.backup, at: now })
  try {
    replaceConfigFile(plan.file, plan.after)
  } catch (error) {
    undo()
    throw error
  }
  if (plan.backup === null && plan.servers.every(({ left }) => left === null)) dropBackup(home, plan.file.path)
}

interface Fate {
  readonly entry: ServerEntry
  readonly label: string | null
  readonly fate: EntryFate | { readonly kind: 'kept'; readonly text: string }
}

function finish(
  { client, place }: PlacedFile,
  file: ConfigFile,
  config: ConfigText,
  fates: readonly Fate[],
  backupOf: (after: ConfigText) => ConfigPlan['backup'],
): ConfigPlan {
  const edits = fates.flatMap(({ entry, fate }): readonly Edit[] =>
    fate.kind === 'edit' ? fate.edits : fate.kind === 'kept' ? [{ ...entry.span, text: fate.text }] : [],
  )
  const text = applyEdits(config.text, edits)
  const after = readConfigText(text, place)
  // INVARIANT: what was edited reads as what was meant, and everything else reads as before; else nothing is written.
  if (typeof after === 'string' || !isMeant(config, after, fates))
    throw new CountersignError('CS_CLIENT_CONFIG', `\`${file.path}\` cannot be edited safely; wrap its servers by hand`)
  const servers = fates.map(({ entry, label, fate }): PlannedServer => {
    const now = fate.kind === 'left' ? undefined : sameEntry(after, entry)
    return {
      name: entry.name,
      path: entry.path,
      label: fate.kind === 'left' ? null : label,
      left: fate.kind === 'left' ? fate.why : null,
      isOverHttp: fate.kind === 'edit' && 'url' in fate.inner,
      lines: now === undefined ? [] : diffEntries(shownEntry(config, entry), shownEntry(after, now)),
    }
  })
  return { client, file, servers, after: text, restores: false, backup: backupOf(after) }
}

function isMeant(config: ConfigText, after: ConfigText, fates: readonly Fate[]): boolean {
  let data: JsonObject = config.data
  for (const { entry, fate } of fates) {
    if (fate.kind === 'edit') data = withAt(data, entry.path, fate.data)
    if (fate.kind === 'kept') data = withAt(data, entry.path, sameEntry(after, entry)?.data ?? null)
  }
  return isDeepStrictEqual(plain(data), plain(after.data))
}

function withAt(data: JsonObject, [key = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = data[key]
  return { ...data, [key]: rest.length === 0 || !isObject(inner) ? value : withAt(inner, rest, value) }
}

/** Parsers give objects of different prototypes; only what they hold counts. */
function plain(value: Json): unknown {
  return JSON.parse(JSON.stringify(value))
}

function sameEntry(config: ConfigText, { path }: ServerEntry): ServerEntry | undefined {
  return config.entries.find((entry) => isDeepStrictEqual(entry.path, path))
}

function textOf({ text }: ConfigText, { span }: ServerEntry): string {
  return text.slice(span.start, span.end)
}
