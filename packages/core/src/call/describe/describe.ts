import { CountersignError } from '../../errors.ts'
import { findCommand } from '../arguments/command.ts'
import { findPatch, findPaths, globRoot } from '../arguments/paths.ts'
import type { Description } from '../call.ts'
import { type Descriptor, KINDS, type Kind } from '../descriptor.ts'
import type { JsonObject } from '../json/json.ts'
import { strongerKind } from '../names/verbs.ts'
import { guessDescriptor, urlFields } from './guess.ts'
import { findKnownTool, type KnownTool } from './known-tools.ts'

/** The part of a tool's identity that a description may rest on. */
export interface DescribedTool {
  readonly name: string
  readonly server?: string | null
  readonly source?: 'builtin' | 'mcp' | 'custom'
}

/**
 * Says what a call does. The tool's own registration comes first, then the table of known tools, then a careful guess;
 * what a registration leaves open is filled from the other two. A server's tool is never known by its name.
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
 * Whether somebody who is not believed says that a tool does more than is known of it. The kind itself stays: another
 * one would slip past the rules that name this one.
 */
export function admitsMore(claim: unknown, { kind, source }: Descriptor): boolean {
  if (claim === undefined) return false
  const claimed = KINDS.find((one) => one === claim)
  if (claimed === undefined) throw new CountersignError('CS_CALL_SHAPE', '`atLeast` is no kind; leave it out')
  return source !== 'nobody' && strongerKind(kind, claimed) !== kind
}

/** Arguments that do not change what the call does, so a grant for exact arguments leaves them out. Shells only. */
export function volatileArguments(tool: DescribedTool, kind: Kind): readonly string[] {
  return kind === 'execute' ? (knownTool(tool)?.volatile ?? []) : []
}

function knownTool(tool: DescribedTool): KnownTool | undefined {
  // SECURITY: A20, a hostile server may call its tool `read_file`.
  if (tool.source === 'mcp' || (tool.server ?? null) !== null) return undefined
  return findKnownTool(tool.name)
}

const NO_NAMES: readonly string[] = []

function describeKnown(known: KnownTool, args: JsonObject): Descriptor {
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

function knownKind(known: KnownTool, args: JsonObject): Kind {
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

function commandFields(known: KnownTool, args: JsonObject): Pick<Descriptor, 'command' | 'argv'> {
  if (known.command === undefined) return {}
  const isFound = known.found !== undefined && known.found in args && Array.isArray(args['command'])
  const found = findCommand(args, known.command, { exact: known.argv === true, runs: !isFound, bare: true })
  if (found === undefined) return {}
  return found.argv === undefined ? { command: found.command } : { command: found.command, argv: found.argv }
}

/** Where a command runs when an argument says so; the folder stands among the paths too. */
function workingFolder(known: KnownTool, args: JsonObject): string | undefined {
  for (const name of known.cwd ?? []) {
    const value = args[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
