import { isJsonObject, type JsonObject } from '@countersign/core'
import type { HostContract } from '../contract/host-contract.ts'
import type { HostEvent, HostTool } from '../contract/host-event.ts'
import { type Line, lastWordsOf } from './conversation.ts'
import { type EventFields, eventFields, sameEvent, unknownEvent } from './event-fields.ts'
import { type AnswerShapes, printAnswer } from './printing.ts'
import type { Reason } from './reason.ts'
import { exitCodeIn, failedEnd, type ToolEnd, toolEnd } from './tool-output.ts'

const TITLE = 'Gemini CLI'
const SHELL = 'run_shell_command'

const OTHERS = [
  'BeforeAgent',
  'AfterAgent',
  'BeforeModel',
  'AfterModel',
  'BeforeToolSelection',
  'Notification',
  'PreCompress',
]

function read(payload: unknown, event: string | undefined): HostEvent {
  const fields = eventFields(payload, TITLE)
  const name = sameEvent(fields.label('hook_event_name'), event, TITLE)
  switch (name) {
    case 'BeforeTool':
      // Its events don't tell its mode. Its prompt can be asked for in every mode, `yolo` too.
      return { kind: 'before-tool', ...toolIn(fields), isBypassing: false }
    case 'AfterTool': {
      const tool = toolIn(fields)
      return { kind: 'after-tool', ...tool, ...ended(tool.tool, fields.object('tool_response')) }
    }
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
  return {
    session: fields.label('session_id'),
    cwd: fields.optionalPath('cwd'),
    transcript: fields.optionalPath('transcript_path'),
  }
}

function toolIn(fields: EventFields): HostTool {
  // The tool's own name, `mcp_<server>_<tool>`, doesn't show where the server's name ends.
  const mcp = fields.optionalObject('mcp_context')
  return {
    ...sessionIn(fields),
    toolCall: null,
    tool: mcp === null ? fields.label('tool_name') : mcp.label('tool_name'),
    server: mcp === null ? null : mcp.label('server_name'),
    args: fields.args('tool_input'),
    agent: null,
  }
}

/** What follows the output of a command. The last such lines are Gemini CLI's own. */
const COMMAND_END = /(?:^|\n)Process Group PGID: \d+\s*$/
const EXIT_CODE =
  /\nExit Code: (\d{1,3})(?:\nSignal: [^\n]*)?(?:\nBackground PIDs: [^\n]*)?\nProcess Group PGID: \d+\s*$/
const SIGNAL = /\nSignal: [^\n]*(?:\nBackground PIDs: [^\n]*)?\nProcess Group PGID: \d+\s*$/

function ended(tool: string, response: EventFields): ToolEnd {
  const content = response.value('llmContent')
  if (isJsonObject(response.value('error'))) return failedEnd(content)
  if (tool !== SHELL || typeof content !== 'string') return toolEnd(content)
  const close = content.lastIndexOf('</untrusted_context>')
  const told = close < 0 ? content : content.slice(0, close)
  const exitCode = exitCodeIn(told, EXIT_CODE)
  if (exitCode !== null) return toolEnd(content, exitCode)
  if (SIGNAL.test(told)) return failedEnd(content)
  return toolEnd(content, COMMAND_END.test(told) ? 0 : null)
}

interface Deny {
  readonly decision: 'deny'
  readonly reason: Reason
}
interface Allow {
  readonly decision: 'allow'
  readonly hookSpecificOutput?: { readonly hookEventName: 'BeforeTool'; readonly tool_input: JsonObject }
}

// There is no `ask`: it would turn a call that its own policy denies into a question, and headless it waits forever.
const SHAPES: AnswerShapes<Deny | Allow> = {
  deny: (reason) => ({ decision: 'deny', reason }),
  allow: () => ({ decision: 'allow' }),
  allowWith: (args) => ({
    decision: 'allow',
    hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: args },
  }),
}

function lineOf({ type, content, thoughts }: JsonObject): Line {
  if (type === 'user') {
    // The results of tools are messages of the user too.
    const isPrompt = typeof content === 'string' || (Array.isArray(content) && content.some(isText))
    return isPrompt ? 'prompt' : null
  }
  return type === 'gemini' ? { said: content, reasoning: thoughtsIn(thoughts) } : null
}

function isText(part: unknown): boolean {
  return isJsonObject(part) && typeof part['text'] === 'string'
}

function thoughtsIn(thoughts: unknown): string | null {
  if (!Array.isArray(thoughts)) return null
  const texts = thoughts.filter(isJsonObject).flatMap(({ subject, description }) => [subject, description])
  return texts.filter((text) => typeof text === 'string').join('\n')
}

/** Gemini CLI. */
export const geminiCli: HostContract = {
  name: 'gemini-cli',
  title: TITLE,
  evidence: 'proven',
  rewrites: true,
  events: [
    { name: 'BeforeTool', kind: 'before' },
    { name: 'AfterTool', kind: 'report' },
    { name: 'SessionStart', kind: 'report' },
    { name: 'SessionEnd', kind: 'report' },
  ],
  shells: [SHELL],
  own: [
    'ask_user',
    'complete_task',
    'enter_plan_mode',
    'exit_plan_mode',
    'invoke_agent',
    'list_background_processes',
    'read_background_output',
    'update_topic',
    'write_todos',
  ],
  asks: false,
  refusesByExit: true,
  onTimeout: 'runs',
  read,
  lastWords: (text) => lastWordsOf(text, lineOf),
  print: (answer) => printAnswer(answer, SHAPES),
}
