import { copilot as driver } from '../../../packages/hosts/src/canary/drivers/copilot.ts'
import { type HostDriver, json } from './host-driver.ts'

/** Copilot CLI with a model of one's own and its offline mode, which need no account. */
export const copilot: HostDriver = {
  ...driver,
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
}
