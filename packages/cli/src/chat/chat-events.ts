import type { AgentEvent } from '@countersign/agent'
import {
  effectSentence,
  type FrozenCall,
  maskText,
  openView,
  type RiskReport,
  type SafeText,
  safeText,
} from '@countersign/core'
import type { OpenedGate } from '@countersign/node'
import type { ChatEvent } from '@countersign/terminal/chat'

const NAME_SHOWN = 80
const WHY_SHOWN = 600

/** Translates an agent event into chat events; `main` is the name of the main agent. */
export function agentChatEvents(event: AgentEvent, main: string, at: number): readonly ChatEvent[] {
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
      return [{ ...over(event.callId, 'completed', null, at), isUndoable: event.backup }]
    case 'failed':
      return [{ ...over(event.callId, 'failed', line(event.message), at), isUndoable: event.backup }]
    case 'refused': {
      const { outcome, message, reason } = event.refusal
      return [over(event.callId, outcome, line(message), at, reason === null ? null : line(reason))]
    }
    case 'usage': {
      const count = event.tokens.input + event.tokens.output
      return [{ kind: 'text-end', agent }, ...(count === 0 ? [] : [{ kind: 'tokens', count } as const])]
    }
    case 'retry':
      return [{ kind: 'text-end', agent }, note(`${event.message}; retrying in ${Math.ceil(event.waitMs / 1000)} s`)]
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
): Extract<ChatEvent, { kind: 'over' }> {
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

/** Translates the gate's events of this session into chat events. Returns an unsubscribe function. */
export function followGate({ gate, ports }: OpenedGate, emit: (event: ChatEvent) => void): () => void {
  const { clock, crypto } = ports
  return gate.subscribe((event) => {
    switch (event.kind) {
      case 'judged': {
        const { call, risk } = event.judgement
        emit({ kind: 'judged', callId: event.callId, risk: risk.level, effect: covered(effectOf(call, risk)) })
        return
      }
      case 'notice':
        emit({ kind: 'notice', callId: event.callId, warnings: event.warnings.map(covered) })
        return
      case 'held':
        try {
          emit({ kind: 'held', callId: event.callId, opened: openView(event.view, crypto), at: clock.now() })
        } catch (error) {
          // INVARIANT: L5 a view that does not match its digest is never shown for approval.
          warn(error instanceof Error ? error.message : 'a call can’t be shown', emit)
        }
        return
      case 'decided': {
        const { decision, surface } = event.signed
        emit({
          kind: 'decided',
          callId: event.callId,
          decision: decision.kind,
          by: safeText(event.by),
          surface: surface === 'terminal' ? null : safeText(surface),
          isEdited: decision.edited !== undefined,
          at: clock.now(),
        })
        return
      }
      case 'started':
        emit({ kind: 'started', callId: event.callId, isContained: event.isContained, at: clock.now() })
        return
      case 'problem':
      case 'decision-refused':
        warn(`${event.message} [${event.code}]`, emit)
        return
      default:
        return
    }
  })
}

function warn(message: string, emit: (event: ChatEvent) => void): void {
  emit({ kind: 'note', lines: [safeText(message)], tone: 'warning' })
}

/** Describes the loop's own tools, which have no effect themselves. */
function effectOf(call: FrozenCall, risk: RiskReport): string {
  const { agent, action_type: action } = call.args
  const name = call.tool.server === null ? call.tool.name : null
  if (name === 'delegate' && typeof agent === 'string') return `Gives a task to \`${agent}\``
  if (name === 'proceed' && typeof action === 'string') return `Asks to proceed (${action.replaceAll('_', ' ')})`
  return effectSentence(call, risk)
}

/** Masks secrets: rows stay in the scrollback. */
function covered(effect: string): SafeText {
  return safeText(maskText(effect).value)
}
