import { type HostDriver, MODEL_KEY } from './host-driver.ts'

/** Copilot CLI with a model of one’s own and its offline mode, which need no account. */
export const copilot: HostDriver = {
  name: 'copilot',
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
  shellCall: (command) => ({ tool: 'bash', args: { command, description: 'Runs a marked command' } }),
}
