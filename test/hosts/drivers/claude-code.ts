import { claudeCode as driver } from '../../../packages/hosts/src/canary/drivers/claude-code.ts'
import { type HostDriver, json, matcherGroups, nested } from './host-driver.ts'

/** Claude Code, in print mode with the tools allowed by name. */
export const claudeCode: HostDriver = {
  ...driver,
  hookKind: 'command',
  gateEvent: 'PreToolUse',
  events: [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'PostToolUseFailure',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'SessionEnd',
  ],
  deny: (reason) => nested('deny', { permissionDecisionReason: reason }),
  rewrite: (args) => nested('allow', { updatedInput: args }),
  failClosed: { onFailure: 'block' },
  hookFiles: (hooks, scope) => ({
    [scope === 'user' ? '~/.claude/settings.json' : '.claude/settings.json']: json({
      hooks: matcherGroups(hooks, ({ command, timeoutSeconds, fields }) => ({
        type: 'command',
        command,
        ...(timeoutSeconds === undefined ? {} : { timeout: timeoutSeconds }),
        ...fields,
      })),
    }),
  }),
}
