import type { AgentEvent } from '@countersign/agent'
import { type SafeText, safeText } from '@countersign/core'
import type { ChatEvent } from '@countersign/terminal/chat'

const NAME_SHOWN = 80
const WHY_SHOWN = 600

/** What an agent's event means for a conversation; `main` is the name of the agent that the person talks to. */
export function tellAgent(event: AgentEvent, main: string, at: number): readonly ChatEvent[] {
  const agent = event.agent === main ? null : safeText(withoutMain(event.agent, main))
  switch (event.kind) {
    case 'text':
      return [{ kind: 'text', agent, text: event.text }]
    case 'requested':
      return [
        { kind: 'text-end', agent },
        { kind: 'requested', agent, callId: event.callId, tool: safeText(event.call.tool.slice(0, NAME_SHOWN)), at },
      ]
    case 'output':
      return [{ kind: 'output', callId: event.callId, text: event.text }]
    case 'completed':
      return [
        {
          kind: 'over',
          callId: event.callId,
          state: 'completed',
          why: null,
          reason: null,
          isUndoable: event.backup,
          at,
        },
      ]
    case 'failed':
      return [over(event.callId, 'failed', line(event.message), at)]
    case 'refused': {
      const { outcome, message, reason } = event.refusal
      return [over(event.callId, outcome, line(message), at, reason === null ? null : line(reason))]
    }
    case 'usage': {
      const count = event.tokens.input + event.tokens.output
      return [{ kind: 'text-end', agent }, ...(count === 0 ? [] : [{ kind: 'tokens', count } as const])]
    }
    case 'retry':
      return [
        { kind: 'text-end', agent },
        note(`${event.message}; trying again in ${Math.ceil(event.waitMs / 1000)} s`),
      ]
    case 'stopped':
      return [{ kind: 'text-end', agent }, ...(event.stop.why === 'done' ? [] : [note(event.stop.message)])]
    default:
      return []
  }
}

function over(
  callId: string,
  state: Extract<ChatEvent, { kind: 'over' }>['state'],
  why: SafeText | null,
  at: number,
  reason: SafeText | null = null,
): ChatEvent {
  return { kind: 'over', callId, state, why, reason, isUndoable: false, at }
}

function note(message: string): ChatEvent {
  return { kind: 'note', lines: [line(message)], tone: 'warning' }
}

function withoutMain(label: string, main: string): string {
  return label.startsWith(`${main}/`) ? label.slice(main.length + 1) : label
}

function line(text: string): SafeText {
  return safeText((text.split('\n', 1)[0] ?? '').slice(0, WHY_SHOWN).toWellFormed())
}
