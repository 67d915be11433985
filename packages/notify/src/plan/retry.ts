import type { Delivery } from '../http/verdict.ts'
import type { Message, MessageChange } from '../outbox/message.ts'

const FIRST_MS = 2_000
const LONGEST_MS = 60_000

/** The state of a message after an attempt. Retries are spread at random, and end at the calls' deadline. */
export function afterAttempt(
  { attempts, expiresAt }: Pick<Message, 'attempts' | 'expiresAt'>,
  delivery: Delivery,
  now: number,
  random: number,
): MessageChange {
  const tried = { attempts: attempts + 1, nextAt: now, at: now }
  if (delivery.kind === 'sent') return { ...tried, state: 'sent', error: null }
  if (delivery.kind !== 'again') return { ...tried, state: 'dead', error: delivery.why }
  const wait = Math.min(FIRST_MS * 2 ** attempts, LONGEST_MS) * (0.5 + random)
  const nextAt = now + Math.round(Math.max(wait, delivery.afterMs ?? 0))
  return nextAt < expiresAt
    ? { ...tried, nextAt, state: 'waiting', error: delivery.why }
    : { ...tried, state: 'dead', error: `${delivery.why}; the calls expire before another attempt` }
}
