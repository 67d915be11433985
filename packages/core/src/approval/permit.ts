import type { FrozenCall } from '../call/call.ts'
import type { JsonObject } from '../call/json.ts'
import { CountersignError } from '../errors.ts'

declare const minted: unique symbol

/** The power to run one call once. Made only here; a look-alike object is worth nothing. */
export interface Permit {
  readonly [minted]: true
  readonly kind: 'permit'
  readonly callId: string
  readonly callDigest: string
  /** The frozen arguments to run: never the caller's own object. */
  readonly args: JsonObject
  /** Who approved; null when policy let it through unasked. */
  readonly approvedBy: string | null
}

type PermitState = 'fresh' | 'spent' | 'settled'

/** INVARIANT: L1, the register of permits that exist. It lives in this process and dies with it. */
const register = new WeakMap<Permit, PermitState>()

/** Mints the one permit for one approved call. */
export function mintPermit(call: FrozenCall, approvedBy: string | null): Permit {
  const permit = Object.freeze({
    kind: 'permit',
    callId: call.id,
    callDigest: call.digest,
    args: call.args,
    approvedBy,
  }) as Permit
  register.set(permit, 'fresh')
  return permit
}

/** Spends a permit on exactly the call it was minted for. Throws when forged, used before, or for another call. */
export function spendPermit(permit: Permit, call: FrozenCall): void {
  const state = register.get(permit)
  if (state === undefined)
    throw new CountersignError('CS_PERMIT_FORGED', 'this permit was not minted here; ask the gate for one')
  if (state !== 'fresh')
    throw new CountersignError('CS_PERMIT_SPENT', 'this permit was used already; ask again for another run')
  if (permit.callId !== call.id || permit.callDigest !== call.digest) {
    throw new CountersignError('CS_PERMIT_MISMATCH', 'this permit is for another call; ask for this one')
  }
  register.set(permit, 'spent')
}

/** Marks a spent permit's outcome as told. Throws when it was never spent, or told before. */
export function settlePermit(permit: Permit): void {
  const state = register.get(permit)
  if (state === undefined)
    throw new CountersignError('CS_PERMIT_FORGED', 'this permit was not minted here; nothing to settle')
  if (state === 'fresh')
    throw new CountersignError('CS_PERMIT_MISMATCH', 'this permit was never spent; nothing to settle')
  if (state === 'settled') throw new CountersignError('CS_PERMIT_SPENT', 'the outcome of this permit was told already')
  register.set(permit, 'settled')
}

/** Takes `settlePermit` back: the outcome could not be recorded, so it was not told. */
export function unsettlePermit(permit: Permit): void {
  if (register.get(permit) === 'settled') register.set(permit, 'spent')
}
