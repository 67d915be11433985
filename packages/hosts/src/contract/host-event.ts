import type { JsonObject } from '@countersign/core'

/** The sub-agent that asks, as the host names it: a label, never an identity. */
export interface SubAgent {
  readonly id: string
  readonly type: string | null
}

/** Fields of every host event. None of them is trusted. */
interface InSession {
  /** The host's own id of its session: a label. */
  readonly session: string
  /** The folder that the host names: the session's in most hosts, the command's own in Codex. Null if it names none. */
  readonly cwd: string | null
  /** The file with the conversation, if the host names one. */
  readonly transcript: string | null
}

/** One tool call, as the host names it. */
export interface HostTool extends InSession {
  /** The host's own id of the call; null if it has none. */
  readonly toolCall: string | null
  readonly tool: string
  /** The MCP server that the tool is of, where the host's name for it makes that certain. */
  readonly server: string | null
  readonly args: JsonObject
  readonly agent: SubAgent | null
}

/** The one event that can stop a tool. */
export interface BeforeTool extends HostTool {
  readonly kind: 'before-tool'
  /** The mode that the host is in lets it run tools without its own prompt (`bypassPermissions`, `yolo`). */
  readonly isBypassing: boolean
}

/** The tool has ended. */
export interface AfterTool extends HostTool {
  readonly kind: 'after-tool'
  readonly outcome: 'completed' | 'failed'
  /** Null if the host does not report it. */
  readonly exitCode: number | null
  /** What the tool returned, as text; null if the host does not report it. */
  readonly output: string | null
}

/** An event from a host, in one format for all hosts. */
export type HostEvent =
  | BeforeTool
  | AfterTool
  /** The host is about to ask in its own prompt. */
  | (HostTool & { readonly kind: 'permission-request' })
  | (InSession & { readonly kind: 'session-start' })
  | (InSession & { readonly kind: 'session-end' })
  /** An event of the host that needs no answer. */
  | { readonly kind: 'other'; readonly name: string }
