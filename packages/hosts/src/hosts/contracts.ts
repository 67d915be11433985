import { CountersignError } from '@countersign/core'
import type { HostContract } from '../contract/host-contract.ts'
import type { HostName } from '../contract/host-name.ts'

/** STUB */
export function contractOf(name: HostName): HostContract {
  return {
    name,
    title: 'Claude Code',
    evidence: 'proven',
    rewrites: true,
    shells: ['Bash'],
    asks: true,
    onTimeout: 'runs',
    events: [
      { name: 'PreToolUse', kind: 'before' },
      { name: 'PostToolUse', kind: 'report' },
      { name: 'PostToolUseFailure', kind: 'report' },
    ],
    read(payload) {
      const p = payload as any
      if (typeof p?.session_id !== 'string') throw new CountersignError('CS_HOST_EVENT', 'bad event')
      const base = {
        session: p.session_id,
        cwd: p.cwd ?? null,
        transcript: p.transcript_path ?? null,
        toolCall: p.tool_use_id ?? null,
        tool: p.tool_name,
        server: null,
        args: p.tool_input,
        agent: null,
      }
      if (p.hook_event_name === 'PreToolUse') return { kind: 'before-tool', ...base, isBypassing: false }
      if (p.hook_event_name === 'PostToolUse')
        return { kind: 'after-tool', ...base, outcome: 'completed', exitCode: 0, output: null }
      return { kind: 'other', name: 'x' }
    },
    lastWords: () => ({ said: null, reasoning: null }),
    print: (a) => ({
      stdout: JSON.stringify({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: a.kind,
          permissionDecisionReason: a.reason,
          ...(a.kind === 'allow' && a.args ? { updatedInput: a.args } : {}),
        },
      }),
      stderr: '',
      exitCode: 0,
    }),
  }
}
