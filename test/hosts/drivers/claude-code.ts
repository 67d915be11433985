import { type HostDriver, json, MODEL_KEY, matcherGroups, nested } from './host-driver.ts'

/** Claude Code, in print mode with the tools allowed by name. */
export const claudeCode: HostDriver = {
  name: 'claude-code',
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
  start: (origin, prompt) => ({
    args: ['-p', prompt, '--output-format', 'json', '--allowedTools', 'Bash', 'Write', 'Edit', 'Read', 'Task', 'Agent'],
    env: {
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_API_KEY: MODEL_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
    files: {},
  }),
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
  shellCall: (command) => ({ tool: 'Bash', args: { command, description: 'Runs a marked command' } }),
}
