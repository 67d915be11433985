import type { HostContract } from '../contract/host-contract.ts'
import type { HostEvent, HostTool } from '../contract/host-event.ts'
import { NO_WORDS } from './conversation.ts'
import { type EventFields, eventFields, sameEvent, unknownEvent } from './event-fields.ts'
import { type AnswerShapes, printAnswer } from './printing.ts'
import type { Reason } from './reason.ts'
import { failedEnd, toolEnd } from './tool-output.ts'

const TITLE = 'Cursor'
const SHELL = 'Shell'

const OTHERS = [
  'beforeReadFile',
  'beforeSubmitPrompt',
  'beforeTabFileRead',
  'afterShellExecution',
  'afterMCPExecution',
  'afterFileEdit',
  'afterTabFileEdit',
  'afterAgentResponse',
  'afterAgentThought',
  'subagentStart',
  'subagentStop',
  'preCompact',
  'stop',
]

function read(payload: unknown, event: string | undefined): HostEvent {
  const fields = eventFields(payload, TITLE)
  const name = sameEvent(fields.label('hook_event_name'), event, TITLE)
  switch (name) {
    case 'preToolUse':
      return before(toolIn(fields))
    case 'beforeShellExecution':
      return before({ ...callIn(fields), tool: SHELL, server: null, args: { command: fields.text('command') } })
    case 'beforeMCPExecution':
      return before({
        ...callIn(fields),
        tool: fields.label('tool_name'),
        server: fields.optionalLabel('mcp_server_name'),
        args: fields.argsOrText('tool_input'),
      })
    case 'postToolUse':
      return { kind: 'after-tool', ...toolIn(fields), ...toolEnd(fields.value('tool_output')) }
    case 'postToolUseFailure':
      return { kind: 'after-tool', ...toolIn(fields), ...failedEnd(fields.value('error_message')) }
    case 'sessionStart':
      return { kind: 'session-start', ...sessionIn(fields) }
    case 'sessionEnd':
      return { kind: 'session-end', ...sessionIn(fields) }
    default:
      if (OTHERS.includes(name)) return { kind: 'other', name }
      throw unknownEvent(name, TITLE)
  }
}

function before(tool: HostTool): HostEvent {
  return { kind: 'before-tool', ...tool, isBypassing: false }
}

function sessionIn(fields: EventFields) {
  return {
    // Events outside of a session's turns have only the second, which is the same.
    session: fields.optionalLabel('conversation_id') ?? fields.label('session_id'),
    cwd: fields.optionalPath('cwd') ?? fields.firstPath('workspace_roots'),
    transcript: fields.optionalPath('transcript_path'),
  }
}

function callIn(fields: EventFields) {
  return { ...sessionIn(fields), toolCall: fields.optionalLabel('tool_use_id'), agent: null }
}

/** `MCP:<tool>` does not name the server. */
function toolIn(fields: EventFields): HostTool {
  return {
    ...callIn(fields),
    tool: fields.label('tool_name'),
    server: null,
    args: fields.argsOrText('tool_input'),
  }
}

interface Deny {
  readonly permission: 'deny'
  /** What the model reads, against its name. */
  readonly user_message: Reason
  readonly agent_message: Reason
}
/** Must be printed: with `failClosed`, silence refuses. */
interface Allow {
  readonly permission: 'allow'
}

// There is no `ask`: `preToolUse` ignores it, and then the tool runs.
const SHAPES: AnswerShapes<Deny | Allow> = {
  deny: (reason) => ({ permission: 'deny', user_message: reason, agent_message: reason }),
  allow: () => ({ permission: 'allow' }),
}

/** Cursor. `preToolUse` comes once before every tool; the narrower events before it would ask again. */
export const cursor: HostContract = {
  name: 'cursor',
  title: TITLE,
  evidence: 'contract only',
  rewrites: false,
  events: [
    { name: 'preToolUse', kind: 'before' },
    { name: 'postToolUse', kind: 'report' },
    { name: 'postToolUseFailure', kind: 'report' },
    { name: 'sessionStart', kind: 'report' },
    { name: 'sessionEnd', kind: 'report' },
  ],
  shells: [SHELL],
  own: ['AskQuestion', 'ReadLints', 'SemanticSearch', 'SwitchMode', 'Task', 'TodoWrite'],
  asks: false,
  refusesByExit: false,
  // With `failClosed`.
  onTimeout: 'refuses',
  read,
  lastWords: () => NO_WORDS,
  print: (answer) => printAnswer(answer, SHAPES),
}
