import { type HostDriver, json, MODEL_KEY } from './host-driver.ts'

/** Settings that keep it from updating itself and from asking how to sign in. */
export const geminiSettings = {
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  security: { auth: { selectedType: 'gemini-api-key' } },
}

/** Gemini CLI, headless in its `yolo` mode in a trusted folder. */
export const geminiCli: HostDriver = {
  name: 'gemini-cli',
  start: (origin, prompt) => ({
    args: ['-p', prompt, '--approval-mode', 'yolo', '--skip-trust', '--output-format', 'json', '-m', 'gemini-2.5-pro'],
    env: { GEMINI_API_KEY: MODEL_KEY, GOOGLE_GEMINI_BASE_URL: origin, GEMINI_TELEMETRY_ENABLED: 'false' },
    files: { '~/.gemini/settings.json': json(geminiSettings) },
  }),
  shellCall: (command) => ({ tool: 'run_shell_command', args: { command } }),
}
