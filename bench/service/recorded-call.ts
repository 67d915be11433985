import type { Call } from '@countersign/core'
import { decide } from '@countersign/node'
import { recordWrites, type Transaction } from '../gate/recorded-writes.ts'
import { openStage } from '../gate/stage.ts'

/** The writes of one call in a warm gate, in order. */
export interface RecordedCall {
  readonly id: string
  readonly risk: string
  /** The number of transactions until it is held (none if never), and until its permit is used; the rest settle it. */
  readonly asked: number
  readonly allowed: number
  readonly transactions: readonly Transaction[]
  /** Its lines on the socket. */
  readonly askLine: string
  readonly permitLine: string
}

/** Records a call like the service runs it: in its own session, approved if held, then settled. */
export async function recordCall(call: Call, policy: string | undefined): Promise<RecordedCall> {
  const recording = recordWrites()
  try {
    const stage = await openStage(policy === undefined ? {} : { policy })
    const gate = await stage.newSession()
    const about = { approver: stage.approver, surface: 'bench', crypto: stage.ports.crypto }
    let risk = ''
    let asked: readonly Transaction[] = []
    gate.subscribe((event) => {
      if (event.kind === 'judged') risk = event.judgement.risk.level
      if (event.kind !== 'held') return
      asked = recording.take()
      setImmediate(() => void decide(stage.desk, event.view, { kind: 'approve' }, about))
    })
    const once = async () => {
      recording.take()
      asked = []
      const permit = await gate.ask(call)
      if (permit.kind !== 'permit') throw new Error(`the call was not allowed: ${permit.message}`)
      const allowed = recording.take()
      await gate.settle(permit, 'completed')
      return { permit, allowed, ended: recording.take() }
    }
    await once()
    const { permit, allowed, ended } = await once()
    await gate.close()
    await stage.close()
    const { callId, callDigest, args, approvedBy } = permit
    return {
      id: callId,
      risk,
      asked: asked.length,
      allowed: asked.length + allowed.length,
      transactions: [...asked, ...allowed, ...ended],
      askLine: `${JSON.stringify({ id: 1, do: 'ask', call })}\n`,
      permitLine: `${JSON.stringify({ id: 1, permit: { kind: 'permit', callId, callDigest, args, approvedBy } })}\n`,
    }
  } finally {
    recording.stop()
  }
}
