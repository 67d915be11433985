import type { HostName } from '../contract/host-name.ts'

const VARIABLES: Partial<Readonly<Record<HostName, string>>> = {
  'claude-code': 'CLAUDE_CONFIG_DIR',
  codex: 'CODEX_HOME',
  copilot: 'COPILOT_HOME',
}

/** The variable that names another folder for an agent's own settings; undefined if the agent has none. */
export function settingsVariable(host: HostName): string | undefined {
  return VARIABLES[host]
}
