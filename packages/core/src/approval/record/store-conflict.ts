import type { ErrorCode } from '../../errors.ts'
import { stepEntry } from '../../journal/entry.ts'
import type { Committed } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { type Refusal, refusal } from '../outcome/outcome.ts'

type Conflict = Extract<Committed, { kind: 'conflict' }>['what']

const REFUSALS: Readonly<Record<Conflict, readonly [Refusal['outcome'], ErrorCode, string]>> = {
  'call-exists': ['refused', 'CS_CALL_DUPLICATE', 'a call with this id already exists and is not run again'],
  'call-moved': ['withdrawn', 'CS_WITHDRAWN', 'the call was closed before it could run'],
  'grant-gone': ['stale', 'CS_STALE', 'the grant behind this call was revoked or used up; ask again'],
  'over-limit': ['refused', 'CS_QUEUE_FULL', 'a limit of the policy was reached; ask again'],
  'full-session': [
    'refused',
    'CS_QUEUE_FULL',
    'too many calls of this session wait for a person; wait for decisions before asking more',
  ],
  'full-store': [
    'refused',
    'CS_QUEUE_FULL',
    'too many calls wait for a person; decide or reject some before asking more',
  ],
  'last-places': [
    'refused',
    'CS_QUEUE_FULL',
    'many calls wait for a person, and the last places are kept for other agents; wait for a decision before asking more',
  ],
  'heavy-session': [
    'refused',
    'CS_QUEUE_FULL',
    'the calls of this session that wait for a person are too large together; pass large data in a file, or wait for decisions',
  ],
  'heavy-store': [
    'refused',
    'CS_QUEUE_FULL',
    'the calls that wait for a person are too large together; pass large data in a file, or decide some first',
  ],
}

/** The refusal for a call that the store did not take or move. */
export function refuseConflict(callId: string, what: Conflict): Refusal {
  const [outcome, code, message] = REFUSALS[what]
  return refusal(callId, outcome, code, message)
}

/** Records a call that the store did not take, within the rate limit: a flood shows in the journal. */
export async function recordConflict(refused: Refusal, context: GateContext): Promise<Refusal> {
  const { callId, code } = refused
  const unwritten = context.refusals.take(callId)
  if (unwritten !== null) {
    const entry = stepEntry('refused', callId, context.ports.clock.now(), {
      code,
      ...(unwritten === 0 ? {} : { unwritten }),
    })
    await context.commit({ entries: [entry], durable: false })
  }
  context.events.emit({ kind: 'refused', callId, refusal: refused })
  return refused
}
