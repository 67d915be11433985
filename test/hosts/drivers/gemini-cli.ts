import { geminiCli as driver, geminiSettings } from '../../../packages/hosts/src/canary/drivers/gemini-cli.ts'
import { type HostDriver, json, matcherGroups } from './host-driver.ts'

/** Gemini CLI, headless in its `yolo` mode in a trusted folder. */
export const geminiCli: HostDriver = {
  ...driver,
  hookKind: 'command',
  gateEvent: 'BeforeTool',
  events: ['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'Notification', 'SessionEnd'],
  deny: (reason) => ({ stdout: JSON.stringify({ decision: 'deny', reason }) }),
  rewrite: (args) => ({
    stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: args } }),
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
}

function settings(hooks: object): string {
  return json({ ...geminiSettings, hooks })
}
