import { codex as driver } from '../../../packages/hosts/src/canary/drivers/codex.ts'
import { type HostDriver, json, matcherGroups, nested } from './host-driver.ts'

/** Codex, in `exec` without its sandbox. Hooks need a person's trust first, which a flag gives for one run. */
export const codex: HostDriver = {
  ...driver,
  start(origin, prompt) {
    const start = driver.start(origin, prompt)
    return { ...start, args: [...start.args, '--dangerously-bypass-hook-trust'] }
  },
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
}
