import { type HostDriver, json, MODEL_KEY, matcherGroups, nested } from './host-driver.ts'

/** Codex, in `exec` without its sandbox. Hooks need a person's trust first, which a flag gives for one run. */
export const codex: HostDriver = {
  name: 'codex',
  hookKind: 'command',
  gateEvent: 'PreToolUse',
  events: [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'SessionEnd',
  ],
  deny: (reason) => nested('deny', { permissionDecisionReason: reason }),
  rewrite: (args) => nested('allow', { updatedInput: args }),
  start: (origin, prompt) => ({
    args: [
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
      prompt,
    ],
    env: { STAND_IN_KEY: MODEL_KEY },
    files: {
      '~/.codex/config.toml': [
        'model = "stand-in"',
        'model_provider = "standin"',
        'check_for_update_on_startup = false',
        '[model_providers.standin]',
        'name = "Stand-in"',
        `base_url = "${origin}/v1"`,
        'wire_api = "responses"',
        'env_key = "STAND_IN_KEY"',
        '[analytics]',
        'enabled = false',
        '',
      ].join('\n'),
    },
  }),
  hookFiles: (hooks, scope) => ({
    [scope === 'user' ? '~/.codex/hooks.json' : '.codex/hooks.json']: json({
      hooks: matcherGroups(hooks, ({ command, timeoutSeconds, fields }) => ({
        type: 'command',
        command,
        ...(timeoutSeconds === undefined ? {} : { timeout: timeoutSeconds }),
        ...fields,
      })),
    }),
  }),
  shellCall: (command) => ({ tool: 'exec_command', args: { cmd: command } }),
}
