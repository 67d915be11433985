import { type HostDriver, json, MODEL_KEY, matcherGroups } from './host-driver.ts'

/** Gemini CLI, headless in its `yolo` mode in a trusted folder. */
export const geminiCli: HostDriver = {
  name: 'gemini-cli',
  hookKind: 'command',
  gateEvent: 'BeforeTool',
  events: ['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'Notification', 'SessionEnd'],
  deny: (reason) => ({ stdout: JSON.stringify({ decision: 'deny', reason }) }),
  rewrite: (args) => ({
    stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: args } }),
  }),
  start: (origin, prompt) => ({
    args: ['-p', prompt, '--approval-mode', 'yolo', '--skip-trust', '--output-format', 'json', '-m', 'gemini-2.5-pro'],
    env: { GEMINI_API_KEY: MODEL_KEY, GOOGLE_GEMINI_BASE_URL: origin, GEMINI_TELEMETRY_ENABLED: 'false' },
    files: {
      '~/.gemini/settings.json': settings({}),
    },
  }),
  hookFiles: (hooks, scope) => ({
    [scope === 'user' ? '~/.gemini/settings.json' : '.gemini/settings.json']: settings(
      matcherGroups(hooks, ({ command, timeoutSeconds, fields }) => ({
        type: 'command',
        command,
        ...(timeoutSeconds === undefined ? {} : { timeout: timeoutSeconds * 1000 }),
        ...fields,
      })),
    ),
  }),
  shellCall: (command) => ({ tool: 'run_shell_command', args: { command } }),
}

function settings(hooks: object): string {
  return json({
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    security: { auth: { selectedType: 'gemini-api-key' } },
    hooks,
  })
}
