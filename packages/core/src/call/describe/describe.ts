import { CountersignError } from '../../errors.ts'
import type { ToolRow } from '../../knowledge/own-knowledge.ts'
import { findHostTool, type HostTool } from '../../knowledge/tools.ts'
import { findCommand } from '../arguments/command.ts'
import { findPatch, findPaths, globRoot } from '../arguments/paths.ts'
import type { Description } from '../descriptor.ts'
import { type Descriptor, KINDS, type Kind } from '../descriptor.ts'
import { isArray } from '../json/canonical.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { strongerKind } from '../names/verbs.ts'
import { guessDescriptor, urlFields } from './guess.ts'

/** The parts of a tool's identity that a description depends on. */
export interface DescribedTool {
  readonly name: string
  readonly server?: string | null
  readonly source?: 'builtin' | 'mcp' | 'custom'
}

/**
 * Describes what a call does. The tool's own registration comes first, then the table of host tools, then a careful guess;
 * gaps in a registration are filled from the other two. A server's tool is never looked up in the table.
 */
export function describeCall(tool: DescribedTool, args: JsonObject, declared?: Description): Descriptor {
  const known = knownTool(tool)
  const seen = known === undefined ? guessDescriptor(tool.name, args, tool.server ?? '') : describeKnown(known, args)
  if (declared === undefined) return seen
  const { source: _source, command, urls, ...found } = seen
  return {
    ...found,
    ...(declared.kind === 'execute' && declared.argv === undefined && command !== undefined ? { command } : {}),
    ...(declared.url === undefined && urls !== undefined ? { urls } : {}),
    ...declared,
    source: 'declared',
  }
}

/**
 * The description of a tool that nobody but a person's own row describes. What the arguments show stays: a row adds paths,
 * URLs and a command, and takes nothing away.
 */
export function describeByRows(seen: Descriptor, args: JsonObject, rows: readonly ToolRow[]): Descriptor {
  if (rows.length === 0 || (seen.source !== 'guessed' && seen.source !== 'nobody')) return seen
  const kinds = rows.flatMap(({ kind }) => kind ?? [])
  const paths = new Set([
    ...(seen.paths ?? []),
    ...findPaths(args, { also: rows.flatMap(({ path = [] }) => path), byShape: false }),
  ])
  const lines = new Set(seen.command === undefined ? [] : [seen.command])
  for (const { command } of rows) {
    const found =
      command === undefined ? undefined : findCommand(args, [command], { exact: false, runs: true, bare: true })
    if (found !== undefined) lines.add(found.command)
  }
  const urls = new Set([
    ...(seen.urls ?? (seen.url === undefined ? [] : [seen.url])),
    ...rows.flatMap(({ url = [] }) => url.flatMap((name) => textsIn(args[name]))),
  ])
  const [url] = urls
  const { argv: _argv, ...rest } = seen
  // INVARIANT: L2, a row can't take a call out of reach of a rule about the kind that its name suggests.
  const known = seen.source === 'nobody' ? kinds : [seen.kind, ...kinds]
  const kind = known.length === 0 ? seen.kind : known.reduce((one, other) => strongerKind(one, other))
  return {
    ...rest,
    kind: lines.size === 0 ? kind : strongerKind(kind, 'execute'),
    ...(lines.size === 0 ? {} : { command: [...lines].join('\n') }),
    ...(paths.size === 0 ? {} : { paths: [...paths] }),
    ...(url === undefined ? {} : { url }),
    ...(urls.size > 1 ? { urls: [...urls] } : {}),
    source: 'own',
  }
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return value !== undefined && isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/**
 * Whether an untrusted claim gives a tool a stronger kind than we know of. The kind itself doesn't change: another one
 * could escape the rules for this one.
 */
export function admitsMore(claim: unknown, { kind, source }: Descriptor): boolean {
  if (claim === undefined) return false
  const claimed = KINDS.find((one) => one === claim)
  if (claimed === undefined) throw new CountersignError('CS_CALL_SHAPE', '`atLeast` is not a kind; leave it out')
  return source !== 'nobody' && strongerKind(kind, claimed) !== kind
}

/** Arguments that don't change what the call does: a grant for exact arguments ignores them. Shells only. */
export function volatileArguments(tool: DescribedTool, kind: Kind): readonly string[] {
  return kind === 'execute' ? (knownTool(tool)?.volatile ?? []) : []
}

function knownTool(tool: DescribedTool): HostTool | undefined {
  // SECURITY: A20, a hostile server may call its tool `read_file`.
  if (tool.source === 'mcp' || (tool.server ?? null) !== null) return undefined
  return findHostTool(tool.name)
}

const NO_NAMES: readonly string[] = []

function describeKnown(known: HostTool, args: JsonObject): Descriptor {
  const patch = known.patch === true ? findPatch(args) : undefined
  const paths = new Set(findPaths(args, { also: known.paths ?? NO_NAMES, byShape: false }))
  for (const path of patch?.summary.paths ?? []) paths.add(path)
  const glob = known.glob === undefined ? undefined : args[known.glob]
  const root = typeof glob === 'string' ? globRoot(glob) : undefined
  if (root !== undefined) paths.add(root)
  const cwd = workingFolder(known, args)
  if (cwd !== undefined) paths.add(cwd)
  return {
    kind: strongerKind(knownKind(known, args), patch?.summary.kind ?? 'read'),
    ...commandFields(known, args),
    ...(cwd === undefined ? {} : { cwd }),
    ...(paths.size > 0 ? { paths: [...paths] } : {}),
    ...(known.kind === 'fetch' ? urlFields([args]) : {}),
    source: 'known',
  }
}

function knownKind(known: HostTool, args: JsonObject): Kind {
  const { kindBy } = known
  if (kindBy !== undefined) {
    const value = args[kindBy.argument]
    return (
      (typeof value === 'string' && Object.hasOwn(kindBy.kinds, value) ? kindBy.kinds[value] : undefined) ?? known.kind
    )
  }
  const method = args['method']
  if (known.kind === 'fetch' && typeof method === 'string' && !/^(get|head|options)$/i.test(method)) return 'send'
  return known.kind
}

function commandFields(known: HostTool, args: JsonObject): Pick<Descriptor, 'command' | 'argv'> {
  if (known.command === undefined) return {}
  const isFound = known.program !== undefined && known.program in args && Array.isArray(args['command'])
  const found = findCommand(args, known.command, { exact: known.exactWords === true, runs: !isFound, bare: true })
  if (found === undefined) return {}
  return found.argv === undefined ? { command: found.command } : { command: found.command, argv: found.argv }
}

/** The folder a command runs in, if an argument sets it. The folder is one of the call's paths too. */
function workingFolder(known: HostTool, args: JsonObject): string | undefined {
  for (const name of known.workingDirectory ?? []) {
    const value = args[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
