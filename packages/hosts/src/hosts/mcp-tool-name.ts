/** A tool, and its MCP server if the host's name for it makes that certain. */
export interface ServerTool {
  readonly server: string | null
  readonly tool: string
}

/** Words joined by single underscores: with two in a row, the server's name could end at either. */
const QUALIFIED = /^mcp__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)$/

/** Reads `mcp__server__tool`, as Claude Code and Codex write it. */
export function serverTool(name: string): ServerTool {
  const [, server, tool] = QUALIFIED.exec(name) ?? []
  return server === undefined || tool === undefined ? { server: null, tool: name } : { server, tool }
}
