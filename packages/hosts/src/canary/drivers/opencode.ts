import { type HostDriver, json, MODEL_KEY } from './host-driver.ts'

/** opencode, in `run` with every permission allowed. */
export const opencode: HostDriver = {
  name: 'opencode',
  start: (origin, prompt) => ({
    args: ['run', '--format', 'json', '--model', 'standin/stand-in', prompt],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
    files: {
      '~/.config/opencode/opencode.json': json({
        autoupdate: false,
        share: 'disabled',
        permission: { '*': 'allow' },
        provider: {
          standin: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Stand-in',
            options: { baseURL: `${origin}/v1`, apiKey: MODEL_KEY },
            models: { 'stand-in': { name: 'Stand-in', tool_call: true, limit: { context: 200_000, output: 8_000 } } },
          },
        },
      }),
    },
  }),
  shellCall: (command) => ({ tool: 'bash', args: { command, description: 'Runs a marked command' } }),
}
