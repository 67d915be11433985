import { asCountersignError, CountersignError, type Refusal, refusalText } from '@countersign/core'

/** A call that did not run. Its message is for the model: why, and what to do instead. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusalText(refusal))
    this.refusal = refusal
  }

  /** Some SDKs give the model the whole error: the words of the refusal come first. */
  override toString(): string {
    return this.message
  }
}

/** INVARIANT: L3, a gate that throws has allowed nothing. */
export function refusedBy(error: unknown): RefusedCall {
  if (error instanceof RefusedCall) return error
  const { code, message } = asCountersignError(error, 'CS_INTERNAL', 'the gate failed, so nothing ran; ask again')
  return refuse('refused', code, message)
}

/** The caller aborted: whatever is decided later does not run. */
export function leftCall(): RefusedCall {
  return refuse('withdrawn', 'CS_WITHDRAWN', 'the agent stopped before the tool started')
}

/** INVARIANT: L3, an answer that is neither a permit nor a refusal allows nothing. */
export function invalidAnswer(): RefusedCall {
  return refuse('refused', 'CS_INTERNAL', 'the gate returned an invalid answer, so nothing ran; ask again')
}

/** A problem at set-up, before any call. */
export function setupError(message: string): CountersignError {
  return new CountersignError('CS_CALL_SHAPE', message)
}

function refuse(outcome: Refusal['outcome'], code: Refusal['code'], message: string): RefusedCall {
  return new RefusedCall({ kind: 'refusal', callId: '', outcome, code, message, reason: null, rule: null })
}
