import type { HostContract } from '../contract/host-contract.ts'
import type { HostEvent, HostTool } from '../contract/host-event.ts'
import { copilotWords } from './copilot.ts'
import { type EventFields, eventFields, sameEvent, unknownEvent } from './event-fields.ts'
import { type NestedDeny, nestedDeny } from './nested-answer.ts'
import { type AnswerShapes, printAnswer } from './printing.ts'
import { toolEnd } from './tool-output.ts'

const TITLE = 'VS Code'

// `Stop` is sent at the end of every turn; no event reports the end of a session.
const OTHERS = ['UserPromptSubmit', 'PreCompact', 'SubagentStart', 'SubagentStop', 'Stop']

function read(payload: unknown, event: string | undefined): HostEvent {
  const fields = eventFields(payload, TITLE)
  const name = sameEvent(fields.label('hookEventName'), event, TITLE)
  switch (name) {
    case 'PreToolUse':
      return { kind: 'before-tool', ...toolIn(fields), isBypassing: false }
    case 'PostToolUse':
      return { kind: 'after-tool', ...toolIn(fields), ...toolEnd(fields.value('tool_response')) }
    case 'SessionStart':
      return { kind: 'session-start', ...sessionIn(fields) }
    default:
      if (OTHERS.includes(name)) return { kind: 'other', name }
      throw unknownEvent(name, TITLE)
  }
}

function sessionIn(fields: EventFields) {
  return {
    session: fields.label('sessionId'),
    cwd: fields.optionalPath('cwd'),
    transcript: fields.optionalPath('transcript_path'),
  }
}

function toolIn(fields: EventFields): HostTool {
  return {
    ...sessionIn(fields),
    toolCall: fields.label('tool_use_id'),
    tool: fields.label('tool_name'),
    // `mcp_<server>_<tool>`, shortened, doesn't show where the server's name ends.
    server: null,
    args: fields.args('tool_input'),
    agent: null,
  }
}

/** No decision: VS Code continues as without a hook, so that its own prompt remains as a second safeguard. */
type Undecided = Readonly<Record<string, never>>

// There is no `ask`: its events don't show whether it is in a mode that approves everything.
const SHAPES: AnswerShapes<NestedDeny | Undecided> = { deny: nestedDeny, allow: () => ({}) }

/** The agent of VS Code. */
export const vscode: HostContract = {
  name: 'vscode',
  title: TITLE,
  evidence: 'contract only',
  rewrites: false,
  events: [
    { name: 'PreToolUse', kind: 'before' },
    { name: 'PostToolUse', kind: 'report' },
    { name: 'SessionStart', kind: 'report' },
  ],
  shells: ['run_in_terminal'],
  own: ['manage_todo_list', 'runSubagent', 'vscode_askQuestions'],
  asks: false,
  refusesByExit: false,
  onTimeout: 'runs',
  read,
  lastWords: copilotWords,
  print: (answer) => printAnswer(answer, SHAPES),
}
