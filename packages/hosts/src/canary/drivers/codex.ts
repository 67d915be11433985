import { type HostDriver, MODEL_KEY } from './host-driver.ts'

/** Codex, in `exec` without its sandbox. */
export const codex: HostDriver = {
  name: 'codex',
  start: (origin, prompt) => ({
    args: ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
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
  shellCall: (command) => ({ tool: 'exec_command', args: { cmd: command } }),
}
