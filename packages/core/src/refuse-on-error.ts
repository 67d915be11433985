import type { GateContext } from './approval/context.ts'
import { stepEntry } from './approval/entries.ts'
import { type Refusal, refusal } from './approval/refusal.ts'
import { asCountersignError } from './errors.ts'
import { redactText } from './journal/redact.ts'

/**
 * The last net under every step: whatever throws, the call is refused with a code, and the journal hears of it if it
 * still can. INVARIANT: L3.
 */
export function refuseOnError<T>(
  call: { readonly id?: string },
  context: GateContext,
  step: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const work = catchAll(call, context, step)
  context.inFlight.add(work)
  return work.finally(() => context.inFlight.delete(work))
}

async function catchAll<T>(
  call: { readonly id?: string },
  context: GateContext,
  step: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  try {
    return await step()
  } catch (thrown) {
    const error = asCountersignError(thrown, 'CS_INTERNAL', `something inside the gate went wrong (${nameOf(thrown)}); the call was refused`)
    const callId = typeof call?.id === 'string' && /^[\w.:-]{1,128}$/.test(call.id) ? call.id : context.ports.crypto.randomId()
    const refused = refusal(callId, 'refused', error.code, error.message)
    await context
      .commit({ entries: [stepEntry('refused', callId, context.ports.clock.now(), { code: error.code, message: redactText(error.message, context.ports.crypto) })], durable: false })
      .catch(() => {}) // the store may be what failed; the call is refused either way
    context.events.emit({ kind: 'refused', callId, refusal: refused })
    return refused
  }
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : typeof thrown
}
