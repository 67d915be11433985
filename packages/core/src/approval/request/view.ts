import type { Json, JsonObject } from '../../call/json/json.ts'
import type { GrantScope, OfferedLifetime } from '../../policy/model/grant.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Preview } from '../../preview/model/preview.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import type { Finding } from '../../safety/checker.ts'

/** A grant that would change something, offered beside approve. */
export interface GrantOffer {
  readonly scope: GrantScope
  readonly lifetimes: readonly OfferedLifetime[]
  /** The exact scope in words. */
  readonly words: string
}

/**
 * A held call as a surface gets it. `request` is the canonical JSON whose hash is signed; everything a surface shows
 * of the call itself it reads from there (see `openView`).
 */
export interface HeldCallView {
  readonly id: string
  readonly request: string
  readonly requestDigest: string
  readonly preview: Preview
  readonly risk: RiskReport
  readonly verdict: Verdict
  readonly findings: readonly Finding[]
  /** One sentence from tool and arguments: never from the agent's words. */
  readonly effect: string
  readonly said: string | null
  readonly confirmationMessage: string | null
  readonly toolDescription: string | null
  readonly offers: readonly GrantOffer[]
  readonly openedAt: number
}

/** What `HeldCallView.request` holds, parsed. */
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
  readonly targets: Json
  readonly policyHash: string
  readonly supervision: string
  readonly risk: string
  /** Only a passkey may approve. */
  readonly passkey?: true
  readonly previewHash: string
  readonly expiresAt: number
  readonly nonce: string
}
