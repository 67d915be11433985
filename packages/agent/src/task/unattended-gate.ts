import type { Gate, GateEvent, ToolResult } from '@countersign/core'

/**
 * The gate of an unattended run: a call that needs a person is refused at once, with a reason for the agent. The gate
 * itself refuses; this only leaves as soon as a person would be needed.
 */
export function unattendedGate(gate: Gate): Gate {
  return {
    ...gate,
    async run(call, effect, signal) {
      const leaving = new AbortController()
      let isUnattended = false
      const stop = gate.subscribe((event) => {
        if (event.kind !== 'judged' || event.callId !== call.id || !needsPerson(event)) return
        isUnattended = true
        leaving.abort()
      })
      try {
        const until = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal])
        const result = await gate.run(call, effect, until)
        return isUnattended ? explained(result) : result
      } finally {
        stop()
      }
    },
  }
}

function needsPerson({ judgement }: Extract<GateEvent, { kind: 'judged' }>): boolean {
  return !judgement.safety.blocked && (judgement.supervision === 'confirm' || judgement.supervision === 'manual')
}

function explained(result: ToolResult): ToolResult {
  if (result.kind !== 'refusal' || result.outcome !== 'withdrawn') return result
  const message = 'it needs approval, and this run has nobody to ask'
  return { ...result, code: 'CS_NO_INTERFACE', message }
}
