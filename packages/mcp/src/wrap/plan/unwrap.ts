import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import type { Home } from '@countersign/node'
import { openConfig, type PlacedFile, readConfigText, readEntryText } from '../config/client-files.ts'
import type { ClientShape } from '../config/clients.ts'
import { headerEnvIn, variableIn, variableMembers } from '../config/header-variables.ts'
import {
  type ConfigText,
  type Edit,
  type Member,
  memberOf,
  quoted,
  type ServerEntry,
  spelled,
  spelledMap,
  textOf,
} from '../config/text.ts'
import { readBackup, type WrappedFile } from '../entry/backups.ts'
import { type GateLine, HEADERS_VARIABLE, looksGated, readHeaders, URL_VARIABLE } from '../entry/command-line.ts'
import { findGateLine, launchersIn, recordedEntry } from '../entry/gate-status.ts'
import type { Installation } from '../entry/installation.ts'
import { commandWords, targetProblem } from '../entry/server-target.ts'
import { type ConfigPlan, type EntryEdit, type EntryPlan, finishPlan, isSameData, left } from './plan.ts'

interface UnwrapOptions {
  readonly installation: Installation
  /** The homes whose records these are; null for the account's default, which a command line does not name. */
  readonly homes: readonly (string | null)[]
  /** Only these servers, even without a record; empty: all wrapped servers. */
  readonly only: readonly string[]
}

/** Plans the unwrapping of a file; undefined when it does not exist or nothing in it looks like a gate. */
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
 * Plans one server; null when nothing in it looks like a gate. INVARIANT: only a gate that `wrap` is known to have written is
 * removed, or one that starts this installation and was named by the person.
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
  const kept = recordedEntry(entry, config, record)
  if (kept?.after === textOf(config, entry)) return fated({ kind: 'kept', text: kept.before })
  const words = commandWords(entry.data)
  if (words === null || typeof words === 'string') return null
  const { shape } = placed.client
  const launchers = [...(kept === null ? [] : [kept.launcher]), ...launchersIn(placed, installation)]
  const line = findGateLine(words, launchers, entry.data[shape.env])
  if (line === null) {
    if (!looksGated(words)) return null
    return left(
      kept === null
        ? 'it looks like a gate, but `wrap` did not write it; remove it by hand'
        : 'it changed since it was wrapped, and the gate’s part of it is unclear; remove it by hand',
    )
  }
  if (kept === null && !only.includes(entry.name))
    return left('`wrap` has no record of its gate; to remove it, name it with `--server`')
  const problem = targetProblem(entry.data)
  if (problem !== null) return left(problem)
  // Wrapped again with another home: the record belongs to the inner gate, so the outer one must go first.
  if (kept !== null && !homes.includes(line.home)) {
    const whose = line.home === null ? 'the account’s default home' : `the home \`${line.home}\``
    return left(`it changed since it was wrapped: its gate belongs to ${whose}; \`unwrap\` it there first`)
  }
  const was = kept === null ? null : readEntryText(kept.before, entry.style)
  const why = kept === null ? 'there is no record of its earlier state' : 'it changed since it was wrapped'
  return fated(unwrapEntry(entry, shape, line, was), [`${why}: only the gate’s words are removed`])
}

/** The recorded entries of servers that stay behind the gate. */
function restOf(
  record: WrappedFile | undefined,
  config: ConfigText,
  fates: readonly EntryPlan[],
): WrappedFile['entries'] {
  const taken = new Set(fates.filter(({ fate }) => fate.kind !== 'left').map(({ entry }) => entry))
  const staying = config.entries
    .filter((entry) => !taken.has(entry))
    .map((entry) => recordedEntry(entry, config, record))
  return (record?.entries ?? []).filter((one) => staying.includes(one))
}

/** INVARIANT: the backup is restored only when it parses to the data that was shown. */
function isSameConfig(before: string, after: string, { place }: PlacedFile): boolean {
  const [kept, meant] = [readConfigText(before, place), readConfigText(after, place)]
  if (typeof kept === 'string' || typeof meant === 'string') return false
  return isSameData(kept.data, meant.data)
}

type Texts = { readonly [name: string]: string }

/**
 * Removes the gate's words from a server, and keeps the rest. `line` is its parsed command line, `was` its data before wrapping
 * if known.
 */
function unwrapEntry(
  entry: ServerEntry,
  shape: ClientShape,
  { inner, ours, flags }: GateLine,
  was: JsonObject | null,
): EntryEdit {
  const command = memberOf(entry, 'command')
  const args = memberOf(entry, 'args')
  if (command === undefined || (command.items === null && args === undefined))
    return left('its syntax cannot be edited safely')
  if ('url' in inner) return unwrapUrl(entry, shape, inner.url, headerEnvIn(flags), command, args, was ?? {})
  const [program = '', ...rest] = inner.command
  if (command.items !== null)
    return {
      kind: 'edit',
      inner,
      edits: [dropItems(command, ours)],
      data: { ...entry.data, command: inner.command },
    }
  return {
    kind: 'edit',
    inner,
    edits: [{ ...command.value, text: quoted(program) }, ...(args === undefined ? [] : [dropItems(args, ours)])],
    data: { ...entry.data, command: program, args: rest },
  }
}

function unwrapUrl(
  entry: ServerEntry,
  shape: ClientShape,
  url: string,
  fromVariables: readonly string[],
  command: Member,
  args: Member | undefined,
  was: JsonObject,
): EntryEdit {
  const { command: _command, args: _args, ...others } = entry.data
  const after: { [key: string]: Json } = { ...others }
  const key = shape.url.find((one) => was[one] !== undefined) ?? shape.url[0] ?? 'url'
  after[key] = url
  const edits: Edit[] = [
    { start: command.keySpan.start, end: command.value.end, text: spelled(entry, key, quoted(url)) },
  ]
  if (args !== undefined) edits.push(dropMember(entry, args))
  const notes: string[] = []
  for (const kind of ['type', 'transport']) {
    const member = memberOf(entry, kind)
    const before = was[kind]
    // A `transport` that `wrap` did not set is left alone.
    if (member === undefined || (kind === 'transport' && member.data !== shape.stdio)) continue
    const http = typeof before === 'string' ? before : shape.http
    edits.push({ ...member.value, text: quoted(http) })
    after[kind] = http
    if (typeof before !== 'string' && shape.httpTypes.includes('sse'))
      notes.push(
        `its earlier \`${kind}\` is unknown and is now \`${http}\`; use \`sse\` for a server with the older transport`,
      )
  }
  const env = memberOf(entry, shape.env)
  const given = entry.data[shape.env]
  const names = isJsonObject(given) ? Object.keys(given) : []
  const ours = names.filter((name) => name === HEADERS_VARIABLE || name === URL_VARIABLE)
  if (isJsonObject(given) && ours.length > 0) {
    if (env === undefined) return left('its syntax cannot be edited safely')
    if (ours.length < names.length)
      return left(`it has variables besides \`${ours.join('` and `')}\`; move those back by hand`)
    delete after[shape.env]
    const variable = given[HEADERS_VARIABLE]
    if (typeof variable === 'string') {
      const headers = readHeaders(variable)
      const span = { start: env.keySpan.start, end: env.value.end }
      edits.push({ ...span, text: spelled(entry, shape.headers, spelledMap(entry, headers)) })
      after[shape.headers] = headers
    } else edits.push(dropMember(entry, env))
  }
  if (fromVariables.length > 0) {
    const { variables } = shape
    const passedOn = variables === null ? undefined : memberOf(entry, variables.passedOn)
    const names = fromVariables.map(variableIn)
    if (variables === null || passedOn === undefined || !isDeepStrictEqual(passedOn.data, names))
      return left(`it has headers from variables (\`${names.join('`, `')}\`); move those back by hand`)
    const members = variableMembers(fromVariables, variables)
    const spelling = Object.entries(members).map(([name, value]) =>
      spelled(entry, name, typeof value === 'string' ? quoted(value) : spelledMap(entry, value as Texts)),
    )
    const text = spelling.join(entry.style === 'toml-line' ? '\n' : ', ')
    edits.push({ start: passedOn.keySpan.start, end: passedOn.value.end, text })
    delete after[variables.passedOn]
    Object.assign(after, members)
  }
  return { kind: 'edit', edits, data: after, inner: { url }, notes }
}

/**
 * Drops the gate's words from a list: from a whole command line, or from `args`, where they include the server's program.
 */
function dropItems(list: Member, ours: number): Edit {
  const items = list.items ?? []
  const first = items[0]
  const kept = items[ours]
  if (first === undefined) return { start: list.value.start, end: list.value.start, text: '' }
  if (kept !== undefined) return { start: first.start, end: kept.start, text: '' }
  return { ...list.value, text: '[]' }
}

/** Drops a member with the separator before it, or after it when it is the first. */
function dropMember(entry: ServerEntry, member: Member): Edit {
  const at = entry.members.indexOf(member)
  const before = entry.members[at - 1]
  if (before !== undefined) return { start: before.value.end, end: member.value.end, text: '' }
  const next = entry.members[at + 1]
  return { start: member.keySpan.start, end: next?.keySpan.start ?? member.value.end, text: '' }
}
