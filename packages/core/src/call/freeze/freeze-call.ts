import { asCountersignError, CountersignError } from '../../errors.ts'
import { type OwnKnowledge, toolRows } from '../../knowledge/own-knowledge.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { Call, FrozenCall } from '../call.ts'
import {
  admitsMore,
  type DescribedTool,
  describeByRows,
  describeCall,
  volatileArguments,
} from '../describe/describe.ts'
import type { Description, Descriptor } from '../descriptor.ts'
import { canonicalJson } from '../json/canonical.ts'
import { freezeArgs, MAX_ARGS_BYTES } from '../json/freeze.ts'
import type { JsonObject } from '../json/json.ts'
import { printable } from '../json/path.ts'
import type { ToolIdentity, ToolRef } from '../tool.ts'
import { aroundCommand } from './command-context.ts'
import { callText, digestOfText } from './digest.ts'
import {
  readAnnotations,
  readCallId,
  readDescription,
  readFlag,
  readFolder,
  readName,
  readNames,
  readReasoning,
  readSource,
  readWords,
} from './field-validation.ts'
import { definitionHash } from './tool-definition.ts'

const GRANT_DOMAIN = 'countersign/grant/v1\0'

export interface FreezeContext {
  readonly crypto: Pick<Crypto, 'sha256'>
  /** Created by the gate, never taken from the call. */
  readonly session: string | null
  /** The session's folder; a call may name another. */
  readonly cwd: string
  newId(): string
  readonly maxBytes?: number
}

/**
 * Makes the one copy of a call that is judged, shown, hashed and run. Each field of the untrusted call is read once; a
 * malformed one is refused with CS_CALL_… and a message that tells what to change.
 */
export function freezeCall(call: Call, context: FreezeContext): FrozenCall {
  try {
    return freeze(call, context)
  } catch (error) {
    throw asCountersignError(
      error,
      'CS_CALL_SHAPE',
      'the call cannot be read; pass a plain object with `tool` and `args`',
    )
  }
}

function freeze(call: Call, freezing: FreezeContext): FrozenCall {
  if (typeof call !== 'object' || call === null) {
    throw new CountersignError('CS_CALL_SHAPE', 'a call must be an object; pass `tool` and `args`')
  }
  const {
    id,
    tool,
    args,
    cwd,
    agent,
    said,
    reasoning,
    context,
    description,
    atLeast,
    describe,
    requiresConfirmation,
    confirmationMessage,
    source,
    volatile,
    containable,
    uncontained,
    outside,
  } = call
  const ref = readTool(tool, freezing.crypto)
  const frozenArgs = args === undefined ? freezeArgs({}) : freezeArgs(args, freezing.maxBytes ?? MAX_ARGS_BYTES)
  const who = readAgent(agent)
  const folder = readFolder(cwd ?? freezing.cwd)
  const from = ref.identity.server !== null || isServerName(ref.identity.name) ? 'mcp' : readSource(source)
  const named = { ...ref.identity, source: from }
  const descriptor = freezeDescriptor(describeCall(named, frozenArgs, declaredOf(describe, description, frozenArgs)))
  // SECURITY: A27, a tool in another language reads a path only up to the NUL: a different file from the one we check.
  if (descriptor.paths?.some((path) => path.includes('\0'))) {
    throw new CountersignError('CS_CALL_SHAPE', 'a path contains a NUL character; remove it')
  }
  const changing = volatileArguments(named, descriptor.kind)
  const dropped = [...changing, ...readVolatile(volatile, named, frozenArgs, descriptor)]
  const canonical = callText(ref.identity, canonicalJson(frozenArgs), folder, freezing.session, who)
  const granted = without(frozenArgs, dropped)
  const grantText =
    granted === frozenArgs ? canonical : callText(ref.identity, canonicalJson(granted), folder, freezing.session, who)
  const frozen = {
    id: id === undefined ? freezing.newId() : readCallId(id),
    tool: ref.identity,
    description: ref.description,
    annotations: ref.annotations,
    source: from,
    args: frozenArgs,
    cwd: folder,
    session: freezing.session,
    agent: who,
    said: readWords(said, 'said', 4000),
    reasoning: readReasoning(reasoning),
    inProduction: readContext(context),
    requiresConfirmation: readFlag(requiresConfirmation, 'requiresConfirmation') || admitsMore(atLeast, descriptor),
    confirmationMessage: readWords(confirmationMessage, 'confirmationMessage', 1000),
    containable: readFlag(containable, 'containable'),
    uncontained: readWords(uncontained, 'uncontained', 500),
    outside: readFlag(outside, 'outside'),
    descriptor,
    digest: digestOfText(canonical, freezing.crypto),
    grantKey: freezing.crypto.sha256(GRANT_DOMAIN + grantText),
    // SECURITY: A11, the caller's volatile arguments are not left out here: a pattern is wide enough.
    around: aroundCommand(frozenArgs, descriptor, { cwd: folder, volatile: changing }, freezing.crypto),
  }
  return Object.freeze(frozen) as FrozenCall
}

/**
 * The same call, described by a person's own rows for its tool, if there are any. Its digest stays: it covers what was asked, not how it is
 * described. SECURITY: A11, an argument that a row gives a meaning may not be volatile.
 */
export function withOwnDescription(
  call: FrozenCall,
  knowledge: OwnKnowledge | undefined,
  { volatile }: Pick<Call, 'volatile'>,
  crypto: Pick<Crypto, 'sha256'>,
): FrozenCall {
  const rows = toolRows(knowledge, call.tool)?.replacing.map(({ row }) => row) ?? []
  const descriptor = freezeDescriptor(describeByRows(call.descriptor, call.args, rows))
  if (descriptor === call.descriptor) return call
  const meant = rows.flatMap(({ path = [], url = [], command, target }) => [...path, ...url, command, target])
  const name = volatile?.find((one) => meant.includes(one))
  if (name !== undefined)
    throw new CountersignError(
      'CS_CALL_SHAPE',
      `\`volatile\` names ${printable(name)}, which determines what the call does; name only arguments that do not`,
    )
  const changing = volatileArguments({ ...call.tool, source: call.source }, descriptor.kind)
  const around = aroundCommand(call.args, descriptor, { cwd: call.cwd, volatile: changing }, crypto)
  return Object.freeze({ ...call, descriptor, around })
}

/** The same call without its request to run outside the sandbox, to find out what would happen inside. */
export function insideSandbox(call: FrozenCall): FrozenCall {
  return Object.freeze({ ...call, outside: false })
}

/** The same call as one of a session, to find out what a rule for it would do. */
export function inSession(call: FrozenCall, session: string): FrozenCall {
  return Object.freeze({ ...call, session })
}

interface ReadTool {
  readonly identity: ToolIdentity
  readonly description: string | null
  readonly annotations: FrozenCall['annotations']
}

/** A string is a bare name, including slashes: only `ToolRef.server` names a server. */
function readTool(tool: string | ToolRef, crypto: Pick<Crypto, 'sha256'>): ReadTool {
  if (typeof tool === 'string') {
    const identity = Object.freeze({ server: null, name: readName(tool, 'tool', 256), definition: 'unbound' })
    return { identity, description: null, annotations: null }
  }
  if (typeof tool !== 'object' || tool === null) {
    throw new CountersignError('CS_CALL_SHAPE', '`tool` must be a name or an object with a `name`')
  }
  const { name, server, definition, description, annotations } = tool
  const identity = Object.freeze({
    server: server === undefined ? null : readName(server, 'tool.server', 256),
    name: readName(name, 'tool.name', 256),
    definition: definition === undefined ? 'unbound' : definitionHash(definition, crypto),
  })
  return {
    identity,
    description: readWords(description, 'tool.description', 4000),
    annotations: readAnnotations(annotations),
  }
}

/** The `describe` function takes precedence over a fixed description. If it throws, the call is refused. */
function declaredOf(describe: unknown, description: unknown, args: JsonObject): Description | undefined {
  if (describe === undefined) return readDescription(description)
  if (typeof describe !== 'function')
    throw new CountersignError('CS_CALL_SHAPE', '`describe` must be a function; correct it or leave it out')
  let answer: unknown
  try {
    answer = describe(args)
  } catch (error) {
    throw new CountersignError('CS_CALL_SHAPE', 'the tool’s own `describe` failed; fix it or leave it out', {
      cause: error,
    })
  }
  return readDescription(answer)
}

/** A host's name for a server's tool: it is a server's, whatever source the caller claims. */
function isServerName(name: string): boolean {
  return /^mcp[_:-]/i.test(name)
}

/** INVARIANT: L9, a context can only raise: what is not production is refused instead of ignored. */
function readContext(context: unknown): boolean {
  if (context === undefined) return false
  const { environment, ...rest } =
    typeof context === 'object' && context !== null ? ({ ...context } as { environment?: unknown }) : {}
  if (environment === 'production' && Object.keys(rest).length === 0) return true
  throw new CountersignError(
    'CS_CALL_SHAPE',
    '`context` must be `{ environment: "production" }`; correct it or leave it out',
  )
}

function readAgent(agent: Call['agent']): FrozenCall['agent'] {
  if (agent === undefined) return NOBODY
  if (typeof agent !== 'object' || agent === null) {
    throw new CountersignError(
      'CS_CALL_SHAPE',
      '`agent` must be an object with a `name`; leave it out when there is none',
    )
  }
  const { name, parents } = agent
  return Object.freeze({
    name: readName(name, 'agent.name', 128),
    parents: Object.freeze(readNames(parents, 'agent.parents', 16, 128)),
  })
}

const NOBODY: FrozenCall['agent'] = Object.freeze({ name: 'agent', parents: Object.freeze([]) })

/**
 * SECURITY: A11. A person has not agreed to what a grant leaves out. So an argument that determines what the call does, or
 * that is more than one plain value, may not be volatile.
 */
function readVolatile(
  value: unknown,
  tool: DescribedTool,
  args: JsonObject,
  descriptor: Descriptor,
): readonly string[] {
  const names = readNames(value, 'volatile', 32, 256)
  if (names.length === 0) return names
  const { command, sql, url, paths = [] } = descriptor
  const effect = new Set<unknown>([command, sql, url, ...paths])
  for (const name of names) {
    const argument = args[name]
    if (argument === undefined) continue
    const rest = without(args, [name])
    if (
      (typeof argument === 'object' && argument !== null) ||
      effect.has(argument) ||
      JSON.stringify(describeCall(tool, rest)) !== JSON.stringify(describeCall(tool, args))
    ) {
      throw new CountersignError(
        'CS_CALL_SHAPE',
        `\`volatile\` names ${printable(name)}, which determines what the call does; name only arguments that do not`,
      )
    }
  }
  return names
}

function without(args: JsonObject, dropped: readonly string[]): JsonObject {
  if (dropped.length === 0) return args
  const kept = Object.entries(args).filter(([name]) => !dropped.includes(name))
  return kept.length === Object.keys(args).length ? args : Object.fromEntries(kept)
}

function freezeDescriptor(descriptor: Descriptor): Descriptor {
  if (descriptor.paths !== undefined) Object.freeze(descriptor.paths)
  if (descriptor.argv !== undefined) Object.freeze(descriptor.argv)
  if (descriptor.urls !== undefined) Object.freeze(descriptor.urls)
  return Object.freeze(descriptor)
}
