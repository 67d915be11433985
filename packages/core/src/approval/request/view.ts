import type { JsonObject } from '../../call/json/json.ts'
import type { Bounds, RuleBounds, SandboxRefusal } from '../../policy/model/containment.ts'
import type { GrantScope, OfferedLifetime } from '../../policy/model/grant.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { TargetState } from '../../ports/targets.ts'
import type { Preview } from '../../preview/model/preview.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import type { Finding } from '../../safety/checker.ts'

/** A grant that would change something, offered beside approve. */
export interface GrantOffer {
  readonly scope: GrantScope
  /** None: only its rule is offered. */
  readonly lifetimes: readonly OfferedLifetime[]
  /** The exact scope in words. */
  readonly words: string
  /** What the grant adds to the sandbox: an exception, or what the repeats of a command need there. */
  readonly bounds?: RuleBounds
  /** Of an exception: the sandbox that this call runs in if it is approved with the grant. */
  readonly contain?: Bounds
  /** A rule of the policy that would let the same calls run, or nearly: the answer to “always”. */
  readonly always?: AlwaysOffer
}

/** A rule to propose from a held call. Only what a person signs counts; see `Rules.propose`. */
export interface AlwaysOffer {
  /** Its conditions, as in a policy file. */
  readonly conditions: JsonObject
  /** What its commands may also do in the sandbox, as in a policy file. */
  readonly contain?: JsonObject
  /** What it covers, in words. It may be wider than the grant: rules know no sessions. */
  readonly words: string
}

/**
 * A held call as it is sent to surfaces and sealed into its row. `request` is the canonical JSON whose hash is signed:
 * everything a surface shows of the call itself it reads from there (see `openView`).
 */
export interface HeldCallView {
  readonly id: string
  readonly request: string
  readonly requestDigest: string
  readonly preview: Preview
  readonly risk: RiskReport
  readonly verdict: Verdict
  readonly findings: readonly Finding[]
  /** One sentence from tool and arguments, never from the agent's words. */
  readonly effect: string
  readonly said: string | null
  /** The agent's thinking before the call, redacted; absent if it gave none. */
  readonly reasoning?: string
  readonly confirmationMessage: string | null
  readonly toolDescription: string | null
  readonly offers: readonly GrantOffer[]
  /** For a call that asks to run outside: what the sandbox refused when the same command last ran in it. */
  readonly refused?: readonly SandboxRefusal[]
  readonly openedAt: number
}

/** What an approver signs for: the content of `HeldCallView.request`. */
export interface RequestBody {
  readonly v: 1
  readonly held: string
  readonly call: {
    readonly tool: { readonly server: string | null; readonly name: string; readonly definition: string }
    readonly args: JsonObject
    readonly cwd: string
    readonly session: string | null
    readonly agent: readonly string[]
  }
  readonly callDigest: string
  /** The machine whose gate was asked, where several share the store. */
  readonly machine?: string
  readonly targets: readonly TargetState[]
  readonly policyHash: string
  readonly supervision: string
  readonly risk: string
  /** For a command: the sandbox it would run in, null for outside. Absent for other calls and in requests of older versions. */
  readonly contain?: Bounds | null
  /** Only a passkey may approve. */
  readonly passkey?: true
  readonly previewHash: string
  /** Of the agent's thinking as shown; absent if it gave none. */
  readonly reasoningHash?: string
  readonly expiresAt: number
  readonly nonce: string
}

const jsonOf = new WeakMap<HeldCallView, string>()

/**
 * A view as JSON, made once: it is sealed into its row, and sent to every surface a moment later.
 *
 * @example
 * const text = viewJson(view)
 */
export function viewJson(view: HeldCallView): string {
  const known = jsonOf.get(view)
  if (known !== undefined) return known
  const json = JSON.stringify(view)
  jsonOf.set(view, json)
  return json
}

const MARK_LENGTH = 8

/**
 * The short code by which people name a held call: the beginning of its request's digest. SECURITY: A11, an asker may
 * choose the call's id, but not the nonce in the digest: what a person types is bound to what they were shown.
 */
export function markOf({ requestDigest }: { readonly requestDigest: string }): string {
  return requestDigest.slice(0, MARK_LENGTH)
}
