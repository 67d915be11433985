import { changedTargets, effectSentence, type Gate, type GateEvent, type Judgement } from '@countersign/core'
import type { AgentEvent } from './event.ts'

/** One call on its way through the gate. */
export interface FollowedCall {
  /** Whether a copy of what it changes is kept. */
  readonly backup: boolean
  /** Stops following it. */
  end(): void
}

/** Turns gate events into agent events. */
export interface GateBridge {
  follow(callId: string): FollowedCall
  close(): void
}

/** Listens to the gate. The caller reports how a call ends, because it also knows what the gate does not announce. */
export function bridgeGate(gate: Gate, agent: string, emit: (event: AgentEvent) => void): GateBridge {
  const followed = new Map<string, { backup: boolean }>()

  function hear(event: GateEvent): void {
    if (!('callId' in event)) return
    const { callId } = event
    const call = followed.get(callId)
    if (call === undefined) return
    switch (event.kind) {
      case 'judged': {
        const { risk, supervision, call: frozen } = event.judgement
        call.backup = keepsBackup(event.judgement)
        emit({ kind: 'judged', agent, callId, risk: risk.level, supervision, effect: effectSentence(frozen, risk) })
        return
      }
      case 'held':
        emit({ kind: 'held', agent, callId, view: event.view })
        return
      case 'decided':
        if (event.signed.decision.kind === 'approve')
          emit({ kind: 'approved', agent, callId, by: event.by, surface: event.signed.surface })
        return
      case 'notice':
        emit({ kind: 'notice', agent, callId, effect: [event.effect, ...event.warnings].join('; ') })
        return
      case 'started':
        emit({ kind: 'started', agent, callId })
        return
      case 'decision-refused':
      case 'ended':
      case 'refused':
        return
    }
  }

  const stop = gate.subscribe(hear)
  return {
    follow(callId) {
      const call = { backup: false }
      followed.set(callId, call)
      return {
        get backup() {
          return call.backup
        },
        end: () => void followed.delete(callId),
      }
    },
    close: stop,
  }
}

function keepsBackup({ verdict, safety, call, risk, circumstances: { places } }: Judgement): boolean {
  if (!verdict.checks.includes('backup')) return false
  if (safety.findings.some(({ checker, status }) => checker === 'backup' && status === 'fail')) return false
  return changedTargets({ call, risk, places }).known.length > 0
}
