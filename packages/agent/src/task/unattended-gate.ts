import type { Gate, GateEvent, ToolResult } from '@countersign/core'

/**
 * The gate for a run that nobody watches: a call that needs a person is refused at once, and the agent hears why. It is
 * the gate itself that refuses; this only leaves as soon as it is clear that one would have to wait.
 */
export function unattendedGate(gate: Gate): Gate {
  return {
    ...gate,
    async run(call, effect, signal) {
      const leaving = new AbortController()
      let alone = false
      const stop = gate.subscribe((event) => {
        if (event.kind !== 'judged' || event.callId !== call.id || !needsPerson(event)) return
        alone = true
        leaving.abort()
      })
      try {
        const until = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal])
        const result = await gate.run(call, effect, until)
        return alone ? explained(result) : result
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
  const message = 'a person would have to decide, and this run has nobody to ask'
  return { ...result, code: 'CS_NO_INTERFACE', message }
}
