import { createHash } from 'node:crypto'
import { type Call, isJsonObject, type JsonObject } from '@countersign/core'
import type { HostContract } from '../contract/host-contract.ts'
import type { HostTool } from '../contract/host-event.ts'

/** The context of a call, besides the event itself. */
export interface AroundCall {
  /** The agent's last words before the call. */
  readonly said: string | null
  readonly reasoning: string | null
  /** The agent's own rule for the command, which must see it as it is; null if there is none. */
  readonly ownRule: string | null
}

const ALONE: AroundCall = { said: null, reasoning: null, ownRule: null }

/** The longest time to decide, because every agent is told to wait one day for its hook. */
const MOST_WAITING_MS = (24 * 60 - 2) * 60_000

/** Changes the folder of the agent's own shell; in a sandbox it would have no effect. Judged like any command. */
const CHANGES_FOLDER = /^\s*cd(?:\s+[\w./~-]+)?\s*$/

/**
 * Converts an agent's tool call to the gate's call. The event after the tool yields the same call. `fallbackId` names it where the
 * agent does not.
 */
export function hostCall(
  event: HostTool,
  contract: HostContract,
  session: { readonly id: string; readonly workspace: string },
  { said, reasoning, ownRule }: AroundCall = ALONE,
  fallbackId?: string,
): Call {
  const { agent, toolCall, server, tool, args, cwd } = event
  const name = agent?.type ?? agent?.id
  const id = toolCall ?? fallbackId
  return {
    ...(id === undefined ? {} : { id: callId(session.id, id) }),
    tool: server === null ? tool : { name: tool, server },
    source: server === null ? 'custom' : 'mcp',
    ...(isOwn(event, contract) ? { description: { kind: 'read' } } : {}),
    args,
    cwd: cwd ?? session.workspace,
    agent: name === undefined ? { name: contract.name } : { name, parents: [contract.name] },
    ...(said === null ? {} : { said }),
    ...(reasoning === null ? {} : { reasoning }),
    ...(commandOf(event, contract) === null ? {} : placeOf(contract, ownRule)),
    timeoutMs: MOST_WAITING_MS,
  }
}

/** SECURITY: A21 a tool that is given a command may run it, such as Cline's `attempt_completion`. */
function isOwn({ tool, server, args }: HostTool, { own }: HostContract): boolean {
  return server === null && own.includes(tool) && !Object.hasOwn(args, 'command')
}

/** Replacing a command with one in the sandbox hides its words from the agent's own rules. */
function placeOf({ title }: HostContract, ownRule: string | null): Pick<Call, 'containable' | 'uncontained'> {
  return ownRule === null
    ? { containable: true }
    : { uncontained: `${title}’s own rule \`${ownRule}\` may apply to it` }
}

/** The shell command of an event that can be replaced by one that runs in the sandbox; null if there is none. */
export function commandOf({ tool, server, args }: HostTool, { rewrites, shells }: HostContract): string | null {
  if (!rewrites || server !== null || !shells.includes(tool)) return null
  const { command } = args
  return typeof command === 'string' && !CHANGES_FOLDER.test(command) ? command : null
}

/** The arguments with another command. */
export function withCommand(args: JsonObject, command: string): JsonObject {
  return { ...args, command }
}

/** INVARIANT: L1, a second event with the same id is the same call, so it is refused. */
function callId(session: string, toolCall: string): string {
  return createHash('sha256').update(`${session}\n${toolCall}`).digest('hex').slice(0, 32)
}

/** Whether two values are the same data. */
export function isSameData(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, at) => isSameData(value, other[at]))
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => isSameData(one[key], other[key]))
}
