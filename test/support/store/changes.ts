import { type Change, draftEntry, type StoredCall } from '@countersign/core'

export function call(id: string, more: Partial<StoredCall> = {}): StoredCall {
  const who = { id, session: 's1', state: 'held', owner: 'me', mode: 'ask', tool: 'write_file', agent: 'main' } as const
  const what = {
    risk: 'medium',
    supervision: 'confirm',
    rule: 'r',
    callDigest: 'd',
    requestDigest: 'q',
    summary: 'writes',
  }
  const rest = {
    sealed: new Uint8Array([1, 2]),
    openedAt: 1,
    expiresAt: 9,
    decision: null,
    outcome: null,
    closedAt: null,
    contain: null,
  }
  return { ...who, ...what, ...rest, ...more }
}

export const entry = (callId: string | null = null) => draftEntry({ kind: 'notice', call: callId }, 1)

export function open(
  id: string,
  more: Partial<StoredCall> = {},
  bounds: { maxHeldInSession?: number; maxHeld?: number } = {},
): Change {
  return {
    entries: [entry(id)],
    open: { call: call(id, more), maxHeldInSession: 50, maxHeld: 500, ...bounds },
    durable: false,
  }
}

export const close = (id: string, outcome: string): Change => ({
  entries: [entry(id)],
  move: { id, from: ['held', 'started'], to: 'closed', set: { outcome, closedAt: 5 } },
  durable: false,
})
