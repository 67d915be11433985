import type { HostEvent, HostTool } from '../contract/host-event.ts'
import { type EventFields, eventFields, sameEvent, unknownEvent } from './event-fields.ts'
import type { ToolEnd } from './tool-output.ts'

/** The differences between agents that use Claude Code's event format. */
export interface ClaudeStyle {
  readonly title: string
  /** Events that it sends and that need no answer. */
  readonly others: readonly string[]
  /** How a tool ended, from the event after it. */
  ended(tool: string, response: unknown): ToolEnd
  /** The same, from the event after a tool that failed; absent if there is none. */
  failed?(error: string): ToolEnd
  /** The file with the conversation that the call is part of. */
  transcript?(named: string | null, agent: string | null): string | null
}

/** Modes in which a hook's question reaches the person. Unknown modes are not included. */
const ASKING_MODES = ['default', 'plan', 'acceptEdits', 'dontAsk']

/** Reads an event in the format of Claude Code. */
export function readClaudeEvent(payload: unknown, event: string | undefined, style: ClaudeStyle): HostEvent {
  const fields = eventFields(payload, style.title)
  const name = sameEvent(fields.label('hook_event_name'), event, style.title)
  switch (name) {
    case 'PreToolUse':
      return { kind: 'before-tool', ...toolIn(fields, style), isBypassing: isBypassing(fields) }
    case 'PostToolUse': {
      const tool = toolIn(fields, style)
      return { kind: 'after-tool', ...tool, ...style.ended(tool.tool, fields.value('tool_response')) }
    }
    case 'PostToolUseFailure':
      if (style.failed === undefined) throw unknownEvent(name, style.title)
      return { kind: 'after-tool', ...toolIn(fields, style), ...style.failed(fields.optionalText('error') ?? '') }
    case 'PermissionRequest':
      return { kind: 'permission-request', ...toolIn(fields, style, null) }
    case 'SessionStart':
      return { kind: 'session-start', ...sessionIn(fields) }
    case 'SessionEnd':
      return { kind: 'session-end', ...sessionIn(fields) }
    default:
      if (style.others.includes(name)) return { kind: 'other', name }
      throw unknownEvent(name, style.title)
  }
}

function sessionIn(fields: EventFields) {
  return {
    session: fields.label('session_id'),
    cwd: fields.optionalPath('cwd'),
    transcript: fields.optionalPath('transcript_path'),
  }
}

function toolIn(fields: EventFields, style: ClaudeStyle, id: string | null = fields.label('tool_use_id')): HostTool {
  const session = sessionIn(fields)
  const agent = fields.optionalLabel('agent_id')
  return {
    ...session,
    transcript: style.transcript === undefined ? session.transcript : style.transcript(session.transcript, agent),
    toolCall: id,
    ...serverTool(fields.label('tool_name')),
    args: fields.args('tool_input'),
    agent: agent === null ? null : { id: agent, type: fields.optionalLabel('agent_type') },
  }
}

function isBypassing(fields: EventFields): boolean {
  return !ASKING_MODES.includes(fields.label('permission_mode'))
}

/** Words joined by single underscores: with two in a row, the server's name could end at either. */
const QUALIFIED = /^mcp__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)$/

/** Reads `mcp__<server>__<tool>`. */
function serverTool(name: string): Pick<HostTool, 'server' | 'tool'> {
  const [, server, tool] = QUALIFIED.exec(name) ?? []
  return server === undefined || tool === undefined ? { server: null, tool: name } : { server, tool }
}
