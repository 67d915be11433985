import type { JsonObject } from '@countersign/core'
import type { Exchange } from '../call/exchange.ts'

/** Where a person finds a held call. */
export interface Pointer {
  /** One or two sentences, safe to show. */
  readonly message: string
  /** The inbox's page of the call, where a service runs. */
  readonly url: string | null
}

/** Nothing to fill in but that it was read: INVARIANT: L3, no answer to this decides anything. */
const READ = {
  type: 'object',
  properties: {
    read: { type: 'boolean', title: 'I will decide there', description: 'Decides nothing.', default: true },
  },
}

/** The parameters of an `elicitation/create` that shows where a call is held; null when the client can show none. */
export function elicitationOf(pointer: Pointer, { elicitation, era }: Exchange, id: string): JsonObject | null {
  const { message, url } = pointer
  if (url !== null && elicitation.url)
    return { mode: 'url', message, url, ...(era === 'initialize' ? { elicitationId: id } : {}) }
  return elicitation.form ? { mode: 'form', message, requestedSchema: READ } : null
}
