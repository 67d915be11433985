import type { Agent } from '@countersign/core'

/** What the SDK hands to a hook around a tool call: its `PreToolUseHookInput` and the reports after it. */
export interface ToolEvent {
  readonly hook_event_name: string
  readonly tool_name: string
  readonly tool_input: unknown
  readonly tool_use_id: string
  /** Where a built-in tool runs. */
  readonly cwd: string
  readonly agent_id?: string
  readonly agent_type?: string
  readonly tool_response?: unknown
  readonly error?: string
}

/** Words joined by single underscores: with two in a row, the server's name could end at either. */
const QUALIFIED = /^mcp__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)$/

/** The event's tool; its server if the name is `mcp__<server>__<tool>`. */
export function toolOf({ tool_name: name }: ToolEvent): { readonly name: string; readonly server?: string } {
  const [, server, tool] = QUALIFIED.exec(name) ?? []
  return server === undefined || tool === undefined ? { name } : { name: tool, server }
}

/** The agent that calls: the SDK's own sub-agents have a type and an id. */
export function callerOf({ agent_id: id, agent_type: type }: ToolEvent, agent: string | Agent = 'claude'): Agent {
  const { name, parents = [] } = typeof agent === 'string' ? { name: agent } : agent
  return id === undefined ? { name, parents } : { name: type ?? id, parents: [...parents, name] }
}

export function isToolEvent(input: unknown): input is ToolEvent {
  const { tool_name: name, tool_use_id: id, cwd } = Object(input)
  return typeof cwd === 'string' && typeof name === 'string' && name !== '' && typeof id === 'string' && id !== ''
}
