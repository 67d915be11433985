import { CALL_STATES, CountersignError, type StoredCall, type StoredEntry, WAITING_STATES } from '@countersign/core'

/** A call as it is stored. */
export interface CallRow extends Omit<StoredCall, 'sealed'> {
  readonly n: number
  /** The size of the journal before the call. */
  readonly openedAfter: number
  /** How many bytes its sealed arguments have. */
  readonly weight: number
  /** Its session while it waits (see `waitingKey`); absent afterwards, so that the index holds waiting calls only. */
  readonly waiting?: string
}

/** An entry as it is stored; without `call` if it is about none. */
export interface EntryRow extends StoredEntry {
  readonly call?: string
}

/** Whether a call in this state waits for a person or its caller: such calls are bounded. */
export function isWaiting(state: string): boolean {
  return (WAITING_STATES as readonly string[]).includes(state)
}

/** The session in the index of waiting calls. */
export function waitingKey(session: string | null): string {
  return session === null ? 'n' : `s${session}`
}

/** A call from its row and its arguments. Nothing in the store is trusted: an unknown state or type is damage. */
export function callOf(row: CallRow, sealed: unknown): StoredCall {
  const { n: _, openedAfter: __, weight: ___, waiting: ____, ...call } = row
  const isSealed = sealed === null || sealed instanceof Uint8Array
  if (!CALL_STATES.includes(call.state) || (call.mode !== 'ask' && call.mode !== 'submit') || !isSealed)
    throw new CountersignError(
      'CS_STORE_READ',
      'the store of this page has a damaged row; export the journal, then clear the data of this site',
    )
  return { ...call, sealed }
}

export function entryOf({ seq, line, leaf }: EntryRow): StoredEntry {
  return { seq, line, leaf }
}
