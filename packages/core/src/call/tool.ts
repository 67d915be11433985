import type { Json } from './json/json.ts'

/** Which tool exactly: two servers' tools of one name are two tools, and so is one tool with a new definition. */
export interface ToolIdentity {
  /** The MCP server, or null for a tool of the agent itself. */
  readonly server: string | null
  readonly name: string
  /** SHA-256 of the tool's definition, or `unbound` if the caller passed none. */
  readonly definition: string
}

/** A server's hints about its own tool. A missing hint counts as the worst; a present one can only raise. */
export interface Annotations {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** A tool as a caller names it. */
export interface ToolRef {
  readonly name: string
  readonly server?: string
  /** The definition the model saw (description, schemas): hashed into the identity. */
  readonly definition?: Json
  readonly description?: string
  readonly annotations?: Annotations
}

/** `name`, or `server/name` for a server's tool: the spelling policies match. */
export function toolLabel(tool: { readonly server: string | null; readonly name: string }): string {
  return tool.server === null ? tool.name : `${tool.server}/${tool.name}`
}
