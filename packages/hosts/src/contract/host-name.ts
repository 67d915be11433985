/** The coding agents that Countersign can gate. */
export const HOST_NAMES = [
  'claude-code',
  'codex',
  'gemini-cli',
  'copilot',
  'vscode',
  'cursor',
  'opencode',
  'cline',
  'goose',
] as const

export type HostName = (typeof HOST_NAMES)[number]

export function isHostName(text: string): text is HostName {
  return (HOST_NAMES as readonly string[]).includes(text)
}
