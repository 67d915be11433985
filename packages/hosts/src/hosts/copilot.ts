import { homedir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '@countersign/core'
import type { HostContract } from '../contract/host-contract.ts'
import type { HostEvent, HostTool, SubAgent } from '../contract/host-event.ts'
import { type LastWords, type Line, lastWordsOf } from './conversation.ts'
import { type EventFields, eventFields, unknownEvent } from './event-fields.ts'
import { type AnswerShapes, printAnswer } from './printing.ts'
import type { Reason } from './reason.ts'
import { exitCodeIn, failedEnd, type ToolEnd, toolEnd } from './tool-output.ts'

const TITLE = 'Copilot CLI'
const SHELL = 'bash'

const OTHERS = ['userPromptSubmitted', 'subagentStart', 'subagentStop', 'agentStop', 'errorOccurred', 'preCompact']

/** Its events have no name, so the hook's command line tells which one it is. */
function read(payload: unknown, event: string | undefined): HostEvent {
  const fields = eventFields(payload, TITLE)
  switch (event) {
    case 'preToolUse':
      // Its events don't tell its mode. A hook's question counts in every mode: where nobody can be asked, it refuses.
      return { kind: 'before-tool', ...toolIn(fields, 'toolArgs'), isBypassing: false }
    case 'postToolUse': {
      const tool = toolIn(fields, 'toolArgs')
      return { kind: 'after-tool', ...tool, ...ended(tool.tool, fields.object('toolResult')) }
    }
    case 'postToolUseFailure':
      return { kind: 'after-tool', ...toolIn(fields, 'toolArgs'), ...failedEnd(fields.value('error')) }
    case 'permissionRequest':
      return { kind: 'permission-request', ...toolIn(fields, 'toolInput') }
    case 'sessionStart':
      return { kind: 'session-start', ...sessionIn(fields, null) }
    case 'sessionEnd':
      return { kind: 'session-end', ...sessionIn(fields, null) }
    default:
      if (event !== undefined && OTHERS.includes(event)) return { kind: 'other', name: event }
      throw unknownEvent(event, TITLE)
  }
}

/** A sub-agent has its own session id; it belongs to the session of the agent that started it, if that is reported. */
function sessionIn(fields: EventFields, agent: SubAgent | null) {
  const own = fields.label('sessionId')
  const session = (agent === null ? null : fields.optionalLabel('parentAgentId')) ?? own
  return { session, cwd: fields.optionalPath('cwd'), transcript: transcriptOf(session) }
}

function toolIn(fields: EventFields, args: 'toolArgs' | 'toolInput'): HostTool {
  const id = fields.optionalLabel('agentId')
  const agent = id === null ? null : { id, type: fields.optionalLabel('agentType') }
  return {
    ...sessionIn(fields, agent),
    toolCall: null,
    tool: fields.label('toolName'),
    // `<server>-<tool>` doesn't show where the server's name ends, nor that it is one.
    server: null,
    args: fields.argsOrText(args),
    agent,
  }
}

/** Where it keeps a session's conversation. Whoever sets this variable can also write what is in the file. */
function transcriptOf(session: string): string | null {
  if (!/^[\w-]+$/.test(session)) return null
  return join(process.env['COPILOT_HOME'] ?? join(homedir(), '.copilot'), 'session-state', session, 'events.jsonl')
}

function ended(tool: string, result: EventFields): ToolEnd {
  const text = result.optionalText('textResultForLlm') ?? ''
  if (result.label('resultType') !== 'success') return failedEnd(text)
  return toolEnd(
    text,
    tool === SHELL ? exitCodeIn(text, /<shellId: \S+ completed with exit code (\d{1,3})>\s*$/) : null,
  )
}

interface Decision {
  readonly permissionDecision: 'deny' | 'ask'
  readonly permissionDecisionReason: Reason
}
/** No decision: its own rules and prompt decide. `allow` would lift the person's deny rules. */
interface Undecided {
  readonly permissionDecision?: never
  readonly modifiedArgs?: JsonObject
}

const SHAPES: AnswerShapes<Decision | Undecided> = {
  deny: (permissionDecisionReason) => ({ permissionDecision: 'deny', permissionDecisionReason }),
  allow: () => ({}),
  allowWith: (modifiedArgs) => ({ modifiedArgs }),
  ask: (permissionDecisionReason) => ({ permissionDecision: 'ask', permissionDecisionReason }),
}

/** Reads a conversation as Copilot CLI and VS Code keep it. */
export function copilotWords(text: string): LastWords {
  return lastWordsOf(text, lineOf)
}

function lineOf({ type, data }: JsonObject): Line {
  if (!isJsonObject(data)) return null
  if (type === 'assistant.message') return { said: data['content'], reasoning: data['reasoningText'] }
  if (type === 'assistant.reasoning') return { reasoning: data['content'] }
  return type === 'user.message' ? 'prompt' : null
}

/** Copilot CLI. */
export const copilot: HostContract = {
  name: 'copilot',
  title: TITLE,
  evidence: 'proven',
  rewrites: true,
  events: [
    { name: 'preToolUse', kind: 'before' },
    { name: 'postToolUse', kind: 'report' },
    { name: 'postToolUseFailure', kind: 'report' },
    { name: 'sessionStart', kind: 'report' },
    { name: 'sessionEnd', kind: 'report' },
  ],
  shells: [SHELL],
  own: [
    'ask_user',
    'list_agents',
    'list_bash',
    'read_agent',
    'read_bash',
    'report_intent',
    'stop_bash',
    'task',
    'update_todo',
    'write_agent',
  ],
  asks: true,
  refusesByExit: true,
  onTimeout: 'runs',
  read,
  lastWords: copilotWords,
  print: (answer) => printAnswer(answer, SHAPES),
}
