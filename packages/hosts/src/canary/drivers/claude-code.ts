import { type HostDriver, MODEL_KEY } from './host-driver.ts'

/** Claude Code, in print mode with the tools allowed by name. */
export const claudeCode: HostDriver = {
  name: 'claude-code',
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
  shellCall: (command) => ({ tool: 'Bash', args: { command, description: 'Runs a marked command' } }),
}
