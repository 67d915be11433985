import type { AgentEvent, Redactor } from '@countersign/agent'
import { markOf, redactText, safeText } from '@countersign/core'
import { timeOfDay } from '@countersign/terminal/card'

/**
 * Turns the events of a run into lines for people, one for each call; null where there is nothing to say. SECURITY: A25
 * they end up in the logs of a pipeline, so secrets are replaced as in the journal, before anything is cut.
 */
export function createProgress(where: string, redactor: Redactor): (event: AgentEvent) => string | null {
  const calls = new Map<string, string>()
  const named = (callId: string): string => calls.get(callId) ?? 'a call'
  return (event) => {
    switch (event.kind) {
      case 'requested':
        calls.set(event.callId, `\`${shown(event.call.tool, 80)}\``)
        return null
      case 'judged':
        if (event.effect !== null) calls.set(event.callId, shown(event.effect, 200))
        return null
      case 'held':
        return `held as ${safeText(markOf(event.view))}: ${named(event.callId)}; ${decide(event.view, where)}`
      case 'completed':
        return ended(event.callId, `✔ ${named(event.callId)}${event.backup ? ' (a copy is kept)' : ''}`)
      case 'failed':
        return ended(event.callId, `✘ ${named(event.callId)}: ${line(event.message)}`)
      case 'refused': {
        const { outcome, message, code } = event.refusal
        return ended(event.callId, `not run, ${outcome}: ${named(event.callId)}: ${line(message)} [${code}]`)
      }
      case 'retry':
        return line(event.message)
      default:
        return null
    }
  }

  function line(text: string): string {
    return shown(text.split('\n', 1)[0] ?? '', 300)
  }

  function shown(text: string, most: number): string {
    return safeText(redactText(text, redactor).slice(0, most))
  }

  function ended(callId: string, text: string): string {
    calls.delete(callId)
    return text
  }
}

type Held = Extract<AgentEvent, { kind: 'held' }>['view']

function decide(view: Held, where: string): string {
  const mark = safeText(markOf(view))
  const { expiresAt } = JSON.parse(view.request) as { readonly expiresAt: number }
  return `decide with \`countersign approve ${mark}${where}\` or \`reject\`, expires at ${timeOfDay(expiresAt)}`
}
