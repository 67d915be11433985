import type { InstalledEvent } from '../../contract/host-contract.ts'
import type { HostName } from '../../contract/host-name.ts'

const before = (name: string): InstalledEvent => ({ name, kind: 'before' })
const report = (name: string): InstalledEvent => ({ name, kind: 'report' })

/** The events that each agent's settings call our hook for. */
export const INSTALLED_EVENTS: Readonly<Record<HostName, readonly InstalledEvent[]>> = {
  'claude-code': [
    before('PreToolUse'),
    report('PostToolUse'),
    report('PostToolUseFailure'),
    report('SessionStart'),
    report('SessionEnd'),
  ],
  codex: [before('PreToolUse'), report('PostToolUse'), report('SessionStart'), report('SessionEnd')],
  'gemini-cli': [before('BeforeTool'), report('AfterTool'), report('SessionStart'), report('SessionEnd')],
  copilot: [
    before('preToolUse'),
    report('postToolUse'),
    report('postToolUseFailure'),
    report('sessionStart'),
    report('sessionEnd'),
  ],
  vscode: [before('PreToolUse'), report('PostToolUse'), report('SessionStart')],
  cursor: [
    before('preToolUse'),
    report('postToolUse'),
    report('postToolUseFailure'),
    report('sessionStart'),
    report('sessionEnd'),
  ],
  // Its plugin knows them.
  opencode: [],
  cline: [before('PreToolUse'), report('PostToolUse')],
  goose: [
    before('PreToolUse'),
    report('PostToolUse'),
    report('PostToolUseFailure'),
    report('SessionStart'),
    report('SessionEnd'),
  ],
}
