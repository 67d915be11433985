import { isDeepStrictEqual } from 'node:util'
import { CountersignError, diffTexts, isJsonObject, type Json, type JsonObject, maskText } from '@countersign/core'
import { type ConfigFile, type Home, isWritable, replaceConfigFile } from '@countersign/node'
import { redactUrls, redactWord } from '../../identity/redacted-command.ts'
import type { ServerTarget } from '../../identity/server-identity.ts'
import type { DefinitionLine } from '../../pins/view.ts'
import { type PlacedFile, readConfigText } from '../config/client-files.ts'
import type { Client } from '../config/clients.ts'
import { applyEdits, type ConfigText, type Edit, type ServerEntry } from '../config/text.ts'
import { keepBackup, keepRemaining, type WrappedFile } from '../entry/backups.ts'

/** The planned change of one server. */
export interface PlannedServer {
  readonly name: string
  readonly path: readonly string[]
  /** Its name in policies; null when nothing changes. */
  readonly label: string | null
  /** Why it stays unchanged; null when it changes. */
  readonly left: string | null
  /** It returns to its state before wrapping, byte for byte. */
  readonly isRestored: boolean
  /** Further notes for the person. */
  readonly notes: readonly string[]
  /** It has a URL, so it may need a sign-in. */
  readonly isOverHttp: boolean
  /** The diff with secrets masked. Untrusted text. */
  readonly lines: ReturnType<typeof diffEntries>
}

/** The planned change of one file. */
export interface ConfigPlan {
  readonly client: Client
  readonly file: ConfigFile
  readonly servers: readonly PlannedServer[]
  /** Notes on all servers. */
  readonly notes: readonly string[]
  readonly after: string
  /** The whole file returns to its state before wrapping, byte for byte. */
  readonly restores: boolean
  /** The backup to write: `made` after wrapping, `rest` for what is still wrapped after unwrapping. */
  readonly record: { readonly kind: 'made' | 'rest'; readonly file: Omit<WrappedFile, 'at'> }
}

/** Carries out a plan. The backup is written before the file. */
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
  if (plan.record.kind === 'rest') keepRemaining(home, file)
}

/** The planned edit of one server. */
export interface EntryPlan {
  readonly entry: ServerEntry
  readonly label: string | null
  readonly notes: readonly string[]
  readonly fate: EntryEdit | { readonly kind: 'kept'; readonly text: string }
}

/** Applies the edits, and parses the result to verify it. */
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
  // INVARIANT: the result parses to exactly the intended data, with everything else unchanged; otherwise nothing is written.
  if (typeof after === 'string' || !isIntended(config, after, fates))
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
      lines: now === undefined ? [] : diffEntries(redactedEntry(config, entry), redactedEntry(after, now)),
    }
  })
  const notes = text === file.text || isWritable(file) ? [] : ['it is read-only, so it will not be changed']
  return { client, file, servers, notes, after: text, restores: false, record: recordOf(after) }
}

function isIntended(config: ConfigText, after: ConfigText, fates: readonly EntryPlan[]): boolean {
  let data: JsonObject = config.data
  for (const { entry, fate } of fates) {
    if (fate.kind === 'edit') data = withAt(data, entry.path, fate.data)
    if (fate.kind === 'kept') data = withAt(data, entry.path, sameEntry(after, entry)?.data ?? null)
  }
  return isSameData(data, after.data)
}

function withAt(data: JsonObject, [key = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = data[key]
  return { ...data, [key]: rest.length === 0 || !isJsonObject(inner) ? value : withAt(inner, rest, value) }
}

/** Whether two parsed configurations are equal; parsers return objects with different prototypes. */
export function isSameData(one: JsonObject, other: JsonObject): boolean {
  return isDeepStrictEqual(plain(one), plain(other))
}

function plain(value: Json): unknown {
  return JSON.parse(JSON.stringify(value))
}

export function sameEntry(config: ConfigText, { path }: ServerEntry): ServerEntry | undefined {
  return config.entries.find((entry) => isDeepStrictEqual(entry.path, path))
}

/** The edit of one server, with notes for the person; or why it stays unchanged. */
export type EntryEdit =
  | {
      readonly kind: 'edit'
      readonly edits: readonly Edit[]
      readonly data: JsonObject
      readonly inner: ServerTarget
      readonly notes?: readonly string[]
    }
  | { readonly kind: 'left'; readonly why: string }

export const left = (why: string): EntryEdit => ({ kind: 'left', why })

/** Members whose values are mostly secrets: never shown. */
const MASKED = new Set(['env', 'environment', 'headers', 'http_headers', 'env_http_headers', 'requestInit'])

/** Names of other members that hold secrets. */
const SECRET_NAME = /token|key|secret|passw|auth|credential/i

/** The text of one server with likely secrets masked. Untrusted text. */
function redactedEntry(config: ConfigText, entry: ServerEntry): string {
  const { start, end } = entry.span
  const lineStart = config.text.lastIndexOf('\n', start) + 1
  const indent = /^\s*$/.test(config.text.slice(lineStart, start)) ? lineStart : start
  const edits = entry.members.flatMap((member): readonly Edit[] => {
    if (MASKED.has(member.key)) return [{ ...member.value, text: '{…}' }]
    if (!Array.isArray(member.data)) return SECRET_NAME.test(member.key) ? [{ ...member.value, text: '"…"' }] : []
    const words = (member.data as readonly unknown[]).map((word) => (typeof word === 'string' ? word : undefined))
    return (member.items ?? []).flatMap((span, at): readonly Edit[] => {
      const word = words[at]
      const covered = word === undefined ? undefined : redactWord(words[at - 1], word)
      return covered === undefined || covered === word ? [] : [{ ...span, text: JSON.stringify(covered) }]
    })
  })
  const text = applyEdits(config.text.slice(0, end), edits).slice(indent)
  return maskText(redactUrls(text), 'any').value.replaceAll('\r\n', '\n')
}

/** The diff of one server. */
function diffEntries(before: string, after: string): readonly DefinitionLine[] {
  return diffTexts(`${before}\n`, `${after}\n`).hunks.flatMap(({ lines }) => lines)
}
