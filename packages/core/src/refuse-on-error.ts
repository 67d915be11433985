import type { GateContext } from './approval/context/gate-context.ts'
import { type Refusal, refusal } from './approval/outcome/outcome.ts'
import { asCountersignError } from './errors.ts'
import { stepEntry } from './journal/entry.ts'
import { redactText } from './secrets/redact.ts'

/** Turns every error into a refusal with a code, recorded in the journal if that is still possible. INVARIANT: L3. */
export function refuseOnError<T>(
  call: { readonly id?: string },
  context: GateContext,
  step: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const work = catchAll(call, context, step)
  const leave = () => context.inFlight.delete(work)
  context.inFlight.add(work)
  work.then(leave, leave)
  return work
}

async function catchAll<T>(
  call: { readonly id?: string },
  context: GateContext,
  step: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  try {
    return await step()
  } catch (thrown) {
    return (await recordRefused(thrown, call, context)).refused
  }
}

/** The same for a step that reports a refusal by throwing: records it, and throws an error with a code. */
export async function throwRefused<T>(
  call: { readonly id?: string },
  context: GateContext,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step()
  } catch (thrown) {
    throw (await recordRefused(thrown, call, context)).error
  }
}

async function recordRefused(thrown: unknown, call: { readonly id?: string }, context: GateContext) {
  const error = asCountersignError(
    thrown,
    'CS_INTERNAL',
    `internal error in the gate (${nameOf(thrown)}); the call was refused`,
  )
  const callId = idOf(call) ?? context.ports.crypto.randomId()
  // INVARIANT: L7, what a lost commit did is not known, and neither is what became of the call; it is not run.
  const outcome = error.code === 'CS_STORE_UNSURE' ? 'unknown' : 'refused'
  const refused = refusal(callId, outcome, error.code, error.message)
  const unwritten = context.refusals.take(callId)
  if (unwritten !== null) {
    const entry = stepEntry('refused', callId, context.ports.clock.now(), {
      code: error.code,
      message: redactText(error.message, context.ports.crypto),
      ...(unwritten === 0 ? {} : { unwritten }),
    })
    await context.commit({ entries: [entry], durable: false }).catch(() => {}) // the store itself may have failed; the call is refused either way
  }
  context.events.emit({ kind: 'refused', callId, refusal: refused })
  return { refused, error }
}

function nameOf(thrown: unknown): string {
  return thrown instanceof TypeError ? 'TypeError' : thrown instanceof RangeError ? 'RangeError' : typeof thrown
}

/** SECURITY: A6 a call's id may change, or throw, each time it is read. */
function idOf(call: { readonly id?: string }): string | undefined {
  try {
    const id: unknown = call?.id
    return typeof id === 'string' && /^[\w.:-]{1,128}$/.test(id) ? id : undefined
  } catch {
    return undefined
  }
}
