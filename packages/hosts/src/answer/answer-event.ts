import { type Call, type HostQuestion, type HostTicket, type JoinedSession, refusalText } from '@countersign/core'
import { type AgentSession, accountHome, type Home, processStart } from '@countersign/node'
import type { HostAnswer, Printed } from '../contract/host-answer.ts'
import { NOTHING } from '../contract/host-answer.ts'
import type { HostContract } from '../contract/host-contract.ts'
import type { AfterTool, BeforeTool } from '../contract/host-event.ts'
import { ownRuleFor } from '../rules/own-rule.ts'
import { type HookProcess, type HostSessions, openHostSessions } from '../sessions/host-sessions.ts'
import { containedCommand, type Launcher } from './contained-command.ts'
import { commandOf, hostCall, isSameData, withCommand } from './host-call.ts'
import { lastWords } from './last-words.ts'

/** One event as its hook received it. */
export interface GivenEvent {
  /** As parsed from stdin. */
  readonly payload: unknown
  /** The event's name on the hook's command line. */
  readonly event: string | undefined
  /** The trace that its calls belong to. */
  readonly traceparent?: string | undefined
  /** Names the call where the agent does not. */
  readonly callId?: string | undefined
  /** The event was given before, and its hook got no answer. */
  readonly again?: boolean
}

/** A session as seen by one hook. */
export interface JoinedAgent extends Pick<JoinedSession, 'host'> {
  /** `isOver`: the agent's session is over. */
  leave(isOver?: boolean): Promise<void>
}

/** A session, and the process that waits for its held calls. */
export interface WaitingAgent extends AgentSession {
  /** The hook’s process: while it lives, its call outlives the service. */
  readonly waiter?: string
}

/** The dependencies of answering an event. */
export interface EventWorld {
  readonly home: Home
  readonly hook: HookProcess
  /** How the agent's shell starts this program, for commands that run in the sandbox. */
  readonly launcher: Launcher
  /** Joins a session; `leave` must be called. */
  join(session: WaitingAgent): Promise<JoinedAgent>
}

/** Answers one event of a coding agent in its own format. Throws if it can't; the hook then refuses. */
export async function answerEvent(
  given: GivenEvent,
  contract: HostContract,
  world: EventWorld,
  signal?: AbortSignal,
): Promise<Printed> {
  const event = contract.read(given.payload, given.event)
  const sessions = openHostSessions(contract.name, world.home, world.hook)
  switch (event.kind) {
    case 'before-tool':
      return contract.print(await ask(event, given, contract, sessions, world, signal), given.event)
    case 'after-tool':
      // A report that may have been taken already must not end another call that is equal.
      if (given.again === true && event.toolCall === null) return NOTHING
      await settle(event, contract, sessions, world)
      return NOTHING
    case 'permission-request':
      // The gate has already answered the event before the tool; the agent's own prompt stays as it is.
      return NOTHING
    case 'session-start':
      await sessions.of(event.session, event.cwd)
      return NOTHING
    case 'session-end':
      await endSession(await sessions.of(event.session, event.cwd), world)
      sessions.end(event.session)
      return NOTHING
    case 'other':
      return NOTHING
  }
}

async function ask(
  event: BeforeTool,
  { traceparent, callId, again = false }: GivenEvent,
  contract: HostContract,
  sessions: HostSessions,
  world: EventWorld,
  signal: AbortSignal | undefined,
): Promise<HostAnswer> {
  const session = await sessions.of(event.session, null)
  const { waiter } = world.hook
  const joined = await world.join(waiter === undefined ? session : { ...session, waiter })
  try {
    const ownRule = await ownRuleOf(event, contract, session, world.hook)
    const around = { ...(await lastWords(event, contract)), ownRule }
    const plain = hostCall(event, contract, session, around, callId)
    const call = traceparent === undefined ? plain : { ...plain, traceparent }
    // SECURITY: A10 in a mode without prompts, the agent would answer its own question.
    const agentPrompt = world.hook.agentPrompt && contract.asks && !event.isBypassing
    const asked = await joined.host.ask(call, { agentPrompt, again, ...(signal === undefined ? {} : { signal }) })
    switch (asked.kind) {
      case 'refusal':
        return { kind: 'deny', reason: refusalText(asked) }
      case 'question': {
        const { then } = asked
        if (then.kind === 'permit') return { kind: 'ask', args: null, reason: questionText(asked) }
        const inside = inSandbox(then, session.id, event, contract, world)
        return inside.kind === 'allow' ? { ...inside, kind: 'ask', reason: questionText(asked) } : inside
      }
      case 'ticket':
        return inSandbox(asked, session.id, event, contract, world)
      case 'permit':
        if (isSameData(asked.args, event.args)) return { kind: 'allow', args: null, reason: reasonOf(asked.approvedBy) }
        if (contract.rewrites) return { kind: 'allow', args: asked.args, reason: reasonOf(asked.approvedBy) }
        return await cannotEdit(call, joined, contract)
    }
  } finally {
    await joined.leave()
  }
}

/** The agent's own rule for a command that could run in the sandbox; null if there is none. */
async function ownRuleOf(
  event: BeforeTool,
  contract: HostContract,
  { workspace }: AgentSession,
  { pid, cwd }: HookProcess,
): Promise<string | null> {
  const command = commandOf(event, contract)
  if (command === null) return null
  const folders = [cwd, workspace, ...(event.cwd === null ? [] : [event.cwd])]
  return ownRuleFor(command, contract, { accountHome: accountHome() ?? '/', folders, ...processStart(pid) })
}

/** The text of the agent's own prompt. */
function questionText({ risk, reasons }: HostQuestion): string {
  const [first, ...rest] = [...new Set(reasons)].slice(0, MOST_REASONS)
  const why = first === undefined ? '' : `: ${[first, ...rest].join('; ')}`
  return `Countersign needs your approval (${risk} risk)${why}`
}

const MOST_REASONS = 3

/** INVARIANT: L11, a command is allowed only if it is replaced by one that runs in the sandbox. */
function inSandbox(
  { callId, args }: HostTicket,
  session: string,
  event: BeforeTool,
  contract: HostContract,
  world: EventWorld,
): HostAnswer {
  const command = commandOf({ ...event, args }, contract)
  if (command === null)
    return {
      kind: 'deny',
      reason: `NOT EXECUTED: ${contract.title} can't run this in the sandbox; use its shell tool.`,
    }
  const { home, launcher } = world
  const rewritten = containedCommand({ session, callId }, command, launcher, home.chosen === 'given' ? home.dir : null)
  return { kind: 'allow', args: withCommand(args, rewritten), reason: 'Allowed in the Countersign sandbox' }
}

/** INVARIANT: L5, only the edited arguments may run; if they can't, nothing does. */
async function cannotEdit(call: Call, { host }: JoinedAgent, { title }: HostContract): Promise<HostAnswer> {
  const why = `a person edited the arguments, and ${title} can't replace them`
  await host.ended(call, { outcome: 'failed', detail: `it did not run: ${why}` })
  return { kind: 'deny', reason: `NOT EXECUTED: ${why}. Call the tool again with the arguments you want.` }
}

function reasonOf(approvedBy: string | null): string {
  return approvedBy === null ? 'Allowed by the Countersign policy' : `Approved by ${approvedBy} in Countersign`
}

async function settle(
  event: AfterTool,
  contract: HostContract,
  sessions: HostSessions,
  world: EventWorld,
): Promise<void> {
  const session = await sessions.of(event.session, null)
  const joined = await world.join(session)
  try {
    const { outcome, exitCode, output } = event
    const end = exitCode === null ? {} : { end: { exitCode, ...(output === null ? {} : { output }) } }
    const detail = outcome === 'completed' || output === null ? {} : { detail: output }
    await joined.host.ended(hostCall(event, contract, session), { outcome, ...detail, ...end })
  } finally {
    await joined.leave()
  }
}

async function endSession(session: AgentSession, world: EventWorld): Promise<void> {
  const joined = await world.join(session)
  try {
    await joined.host.end()
  } finally {
    await joined.leave(true)
  }
}
