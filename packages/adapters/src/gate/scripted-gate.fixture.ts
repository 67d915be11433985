import type { Call, Outcome, Refusal } from '@countersign/core'
import type { GivenAnswer, GivenPermit, LocalGate } from './asking-gate.ts'

/** A gate in this process that answers as a test tells it, and keeps what it was told. */
export interface ScriptedGate extends LocalGate {
  readonly asked: Call[]
  readonly settled: { readonly callId: string; readonly outcome: Outcome; readonly detail: string | undefined }[]
}

export function scriptedGate(answer: (call: Call, signal?: AbortSignal) => unknown): ScriptedGate {
  const asked: Call[] = []
  const settled: ScriptedGate['settled'] = []
  return {
    session: null,
    asked,
    settled,
    run: () => {},
    async ask(call, signal) {
      asked.push(call)
      return (await answer(call, signal)) as GivenAnswer
    },
    submit: async ({ id = '' }) => ({ kind: 'ticket', callId: id }),
    wait: async ({ callId }, signal) => (await answer({ id: callId, tool: '', args: {} }, signal)) as GivenAnswer,
    withdraw: async () => {},
    async settle(permit: GivenPermit, outcome, detail) {
      settled.push({ callId: permit.callId, outcome, detail })
    },
    isConfirmationRequired: async () => true,
  }
}

export function permitFor(args: GivenPermit['args']): GivenPermit {
  return { kind: 'permit', callId: 'c1', args }
}

export const REJECTED: Refusal = {
  kind: 'refusal',
  callId: 'c1',
  outcome: 'rejected',
  code: 'CS_REJECTED',
  message: 'Ana rejected this call',
  reason: 'not today',
  rule: null,
}
