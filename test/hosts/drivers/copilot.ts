import { type HostDriver, json, MODEL_KEY } from './host-driver.ts'

/** Copilot CLI with a model of one's own and its offline mode, which need no account. */
export const copilot: HostDriver = {
  name: 'copilot',
  hookKind: 'command',
  gateEvent: 'preToolUse',
  events: [
    'sessionStart',
    'userPromptSubmitted',
    'preToolUse',
    'permissionRequest',
    'postToolUse',
    'postToolUseFailure',
    'subagentStart',
    'subagentStop',
    'agentStop',
    'sessionEnd',
  ],
  deny: (reason) => ({ stdout: JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: reason }) }),
  rewrite: (args) => ({ stdout: JSON.stringify({ permissionDecision: 'allow', modifiedArgs: args }) }),
  start: (origin, prompt) => ({
    args: ['-p', prompt, '--allow-all-tools', '--no-auto-update', '--disable-builtin-mcps'],
    env: {
      // Exactly this value also trusts the folder, so that the project's own hooks load.
      COPILOT_ALLOW_ALL: 'true',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: MODEL_KEY,
      COPILOT_MODEL: 'stand-in',
    },
    files: {},
  }),
  hookFiles: (hooks, scope) => {
    const groups: Record<string, object[]> = {}
    for (const { event, command, matcher, timeoutSeconds, fields } of hooks)
      groups[event] = [
        ...(groups[event] ?? []),
        {
          type: 'command',
          bash: command,
          ...(matcher === undefined ? {} : { matcher }),
          ...(timeoutSeconds === undefined ? {} : { timeoutSec: timeoutSeconds }),
          ...fields,
        },
      ]
    return {
      [scope === 'user' ? '~/.copilot/hooks/probe.json' : '.github/hooks/probe.json']: json({
        version: 1,
        hooks: groups,
      }),
    }
  },
  shellCall: (command) => ({ tool: 'bash', args: { command, description: 'Runs a marked command' } }),
}
