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

/** Tells what the gate does with the calls of this session, whichever agent asks; the returned function ends it. */
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
        emit({ kind: 'notice', callId: event.callId })
        return
      case 'held':
        try {
          emit({ kind: 'held', callId: event.callId, opened: openView(event.view, crypto), at: clock.now() })
        } catch (error) {
          // INVARIANT: L5, what does not fit its digest is never shown as something one could approve.
          warn(error instanceof Error ? error.message : 'a call cannot be shown', emit)
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
        emit({ kind: 'started', callId: event.callId, at: clock.now() })
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

/** The loop's own tools in words: they read and change nothing, and what comes of them has rows of its own. */
function effectOf(call: FrozenCall, risk: RiskReport): string {
  const { agent, action_type: action } = call.args
  const name = call.tool.server === null ? call.tool.name : null
  if (name === 'delegate' && typeof agent === 'string') return `Gives a task to \`${agent}\``
  if (name === 'proceed' && typeof action === 'string') return `Asks whether to go on (${action.replaceAll('_', ' ')})`
  return effectSentence(call, risk)
}

/** Rows stay on the terminal: they hold no secret. */
function covered(effect: string): SafeText {
  return safeText(maskText(effect).value)
}
