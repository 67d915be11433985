import type { HostContract } from '../contract/host-contract.ts'
import type { HostEvent, HostTool } from '../contract/host-event.ts'
import { NO_WORDS } from './conversation.ts'
import { type EventFields, eventFields, sameEvent, unknownEvent } from './event-fields.ts'
import { type AnswerShapes, printAnswer } from './printing.ts'
import type { Reason } from './reason.ts'
import { failedEnd, toolEnd } from './tool-output.ts'

const TITLE = 'goose'

const OTHERS = [
  'PreToolUseResult',
  'BeforeReadFile',
  'AfterFileEdit',
  'BeforeShellExecution',
  'AfterShellExecution',
  'UserPromptSubmit',
  'Stop',
]

function read(payload: unknown, event: string | undefined): HostEvent {
  const fields = eventFields(payload, TITLE)
  const name = sameEvent(fields.label('event'), event, TITLE)
  switch (name) {
    case 'PreToolUse':
      return { kind: 'before-tool', ...toolIn(fields), isBypassing: false }
    case 'PostToolUse':
      return { kind: 'after-tool', ...toolIn(fields), ...toolEnd(fields.value('tool_output')) }
    case 'PostToolUseFailure':
      return { kind: 'after-tool', ...toolIn(fields), ...failedEnd(fields.value('tool_output')) }
    case 'SessionStart':
      return { kind: 'session-start', ...sessionIn(fields) }
    case 'SessionEnd':
      return { kind: 'session-end', ...sessionIn(fields) }
    default:
      if (OTHERS.includes(name)) return { kind: 'other', name }
      throw unknownEvent(name, TITLE)
  }
}

function sessionIn(fields: EventFields) {
  return { session: fields.label('session_id'), cwd: fields.optionalPath('working_dir'), transcript: null }
}

function toolIn(fields: EventFields): HostTool {
  return {
    ...sessionIn(fields),
    // Older versions have none.
    toolCall: fields.optionalLabel('tool_call_id'),
    // `<extension>__<tool>`: nothing tells a built-in extension from an MCP server.
    tool: fields.label('tool_name'),
    server: null,
    args: fields.args('tool_input'),
    agent: null,
  }
}

interface Deny {
  readonly decision: 'block'
  readonly reason: Reason
}
interface Allow {
  readonly decision: 'allow'
}

const SHAPES: AnswerShapes<Deny | Allow> = {
  deny: (reason) => ({ decision: 'block', reason }),
  allow: () => ({ decision: 'allow' }),
}

/** goose. */
export const goose: HostContract = {
  name: 'goose',
  title: TITLE,
  evidence: 'contract only',
  rewrites: false,
  events: [
    { name: 'PreToolUse', kind: 'before' },
    { name: 'PostToolUse', kind: 'report' },
    { name: 'PostToolUseFailure', kind: 'report' },
    { name: 'SessionStart', kind: 'report' },
    { name: 'SessionEnd', kind: 'report' },
  ],
  shells: ['developer__shell'],
  own: [],
  asks: false,
  refusesByExit: false,
  // With `on_failure: block`; versions without that key run the tool.
  onTimeout: 'refuses',
  read,
  lastWords: () => NO_WORDS,
  print: (answer) => printAnswer(answer, SHAPES),
}
