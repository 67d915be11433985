import type { FrozenCall } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { CountersignError } from '../../errors.ts'
import type { Bounds } from '../../policy/model/containment.ts'

declare const minted: unique symbol

/** The power to run one call once. Made only here; an object that looks like one is worth nothing. */
export interface Permit {
  readonly [minted]: true
  readonly kind: 'permit'
  readonly callId: string
  readonly callDigest: string
  /** The frozen arguments to run, never the caller's own object. */
  readonly args: JsonObject
  /** The folder that the call was judged for. */
  readonly cwd: string
  /** Who approved; null when policy let it through unasked. */
  readonly approvedBy: string | null
  /** INVARIANT: L11, the sandbox to run a command in; null: outside. */
  readonly contain: Bounds | null
  /** The real paths that were judged: a tool that acts by path acts on no other. */
  readonly paths: readonly string[]
  /** Where its result comes from: a path, a command, a host or a tool. */
  readonly reads: string
}

/** What the judgement adds about the run. */
type Within = Partial<Pick<Permit, 'contain' | 'paths' | 'reads'>>

type PermitState = 'fresh' | 'spent' | 'settled'

/**
 * INVARIANT: L1, only this class can make a permit or change its state: a private field cannot be copied, forged or read
 * from outside, and ends with this process.
 */
class MintedPermit {
  readonly kind = 'permit'
  readonly callId: string
  readonly callDigest: string
  readonly args: JsonObject
  readonly cwd: string
  readonly approvedBy: string | null
  readonly contain: Bounds | null
  readonly paths: readonly string[]
  readonly reads: string
  #state: PermitState = 'fresh'

  constructor(call: FrozenCall, approvedBy: string | null, { contain = null, paths = [], reads = '' }: Within) {
    this.callId = call.id
    this.callDigest = call.digest
    this.args = call.args
    this.cwd = call.cwd
    this.approvedBy = approvedBy
    this.contain = contain
    this.paths = Object.freeze([...paths])
    this.reads = reads
    Object.freeze(this)
  }

  /** Undefined for any object that was not minted here. */
  static stateOf(permit: Permit): PermitState | undefined {
    return typeof permit === 'object' && permit !== null && #state in permit ? permit.#state : undefined
  }

  static move(permit: Permit, to: PermitState): void {
    if (#state in permit) permit.#state = to
  }
}

// SECURITY: A9 a permit does not lead to its class: its holder could make more of them.
Reflect.deleteProperty(MintedPermit.prototype, 'constructor')
Object.freeze(MintedPermit.prototype)

/** Mints the one permit for one approved call. */
export function mintPermit(call: FrozenCall, approvedBy: string | null, within: Within = {}): Permit {
  return new MintedPermit(call, approvedBy, within) as unknown as Permit
}

/** Spends a permit on exactly the call it was minted for. Throws when forged, used before, or for another call. */
export function spendPermit(permit: Permit, call: FrozenCall): void {
  const state = MintedPermit.stateOf(permit)
  if (state === undefined)
    throw new CountersignError('CS_PERMIT_FORGED', 'this permit was not issued by this gate; ask for one')
  if (state !== 'fresh')
    throw new CountersignError('CS_PERMIT_SPENT', 'this permit was already used; ask again for another run')
  if (permit.callId !== call.id || permit.callDigest !== call.digest) {
    throw new CountersignError('CS_PERMIT_MISMATCH', 'this permit is for another call; ask for this one')
  }
  MintedPermit.move(permit, 'spent')
}

/** Marks the outcome of a spent permit as recorded. Throws when it was never spent, or already settled. */
export function settlePermit(permit: Permit): void {
  const state = MintedPermit.stateOf(permit)
  if (state === undefined)
    throw new CountersignError('CS_PERMIT_FORGED', 'this permit was not issued by this gate; nothing to settle')
  if (state === 'fresh')
    throw new CountersignError('CS_PERMIT_MISMATCH', 'this permit was never used; nothing to settle')
  if (state === 'settled')
    throw new CountersignError('CS_PERMIT_SPENT', 'the outcome of this permit was already recorded')
  MintedPermit.move(permit, 'settled')
}

/** Reverts `settlePermit` after the outcome could not be recorded. */
export function unsettlePermit(permit: Permit): void {
  if (MintedPermit.stateOf(permit) === 'settled') MintedPermit.move(permit, 'spent')
}
