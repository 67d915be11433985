import type { HostContract } from '../contract/host-contract.ts'
import type { HostEvent, HostTool } from '../contract/host-event.ts'
import { NO_WORDS } from './conversation.ts'
import { type EventFields, eventFields, unknownEvent } from './event-fields.ts'
import { type AnswerShapes, printAnswer } from './printing.ts'
import type { Reason } from './reason.ts'
import { failedEnd, toolEnd } from './tool-output.ts'

const TITLE = 'Cline'

/** Its hooks are files named for their event; in the payload, each event has another name. */
const NAMES: Readonly<Record<string, string>> = {
  PreToolUse: 'tool_call',
  PostToolUse: 'tool_result',
  TaskStart: 'agent_start',
  TaskResume: 'agent_resume',
  TaskCancel: 'agent_abort',
  TaskComplete: 'agent_end',
  TaskError: 'agent_error',
  UserPromptSubmit: 'prompt_submit',
  SessionShutdown: 'session_shutdown',
}

function read(payload: unknown, event: string | undefined): HostEvent {
  const fields = eventFields(payload, TITLE)
  const name = fields.label('hookName')
  if (event !== undefined && NAMES[event] !== name) throw unknownEvent(name, TITLE)
  switch (name) {
    case 'tool_call':
      return { kind: 'before-tool', ...toolIn(fields, 'tool_call'), isBypassing: false }
    case 'tool_result': {
      const { value } = fields.object('tool_result')
      const error = value('error')
      const end = error === undefined || error === null ? toolEnd(value('output')) : failedEnd(error)
      return { kind: 'after-tool', ...toolIn(fields, 'tool_result'), ...end }
    }
    case 'agent_start':
      return { kind: 'session-start', ...sessionIn(fields) }
    case 'session_shutdown':
      return { kind: 'session-end', ...sessionIn(fields) }
    default:
      if (Object.values(NAMES).includes(name)) return { kind: 'other', name }
      throw unknownEvent(name, TITLE)
  }
}

function sessionIn(fields: EventFields) {
  const root = fields.optionalObject('sessionContext')?.optionalLabel('rootSessionId') ?? null
  return { session: root ?? fields.label('taskId'), cwd: fields.firstPath('workspaceRoots'), transcript: null }
}

function toolIn(fields: EventFields, key: 'tool_call' | 'tool_result'): HostTool {
  const call = fields.object(key)
  // The main agent has an id too; only a sub-agent has a parent.
  const parent = fields.optionalLabel('parent_agent_id')
  return {
    ...sessionIn(fields),
    toolCall: call.label('id'),
    tool: call.label('name'),
    server: null,
    args: call.args('input'),
    agent: parent === null ? null : { id: fields.label('agent_id'), type: null },
  }
}

interface Deny {
  readonly cancel: true
  readonly errorMessage: Reason
}
interface Allow {
  readonly cancel: false
}

// There is no `ask`: Cline accepts `review` but ignores it.
const SHAPES: AnswerShapes<Deny | Allow> = {
  deny: (errorMessage) => ({ cancel: true, errorMessage }),
  allow: () => ({ cancel: false }),
}

/** Cline. Its hooks are scripts: `clineScript` starts ours. */
export const cline: HostContract = {
  name: 'cline',
  title: TITLE,
  evidence: 'contract only',
  rewrites: false,
  events: [
    { name: 'PreToolUse', kind: 'before' },
    { name: 'PostToolUse', kind: 'report' },
    { name: 'TaskStart', kind: 'report' },
    { name: 'SessionShutdown', kind: 'report' },
  ],
  shells: ['execute_command'],
  own: ['ask_followup_question', 'attempt_completion', 'new_task', 'plan_mode_respond'],
  asks: false,
  refusesByExit: false,
  onTimeout: 'runs',
  read,
  lastWords: () => NO_WORDS,
  print: (answer) => printAnswer(answer, SHAPES),
}
