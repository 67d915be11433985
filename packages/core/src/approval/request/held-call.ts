import type { SandboxRefusal } from '../../policy/model/containment.ts'
import type { Preview } from '../../preview/model/preview.ts'
import type { Judgement } from './judgement.ts'
import { requestText } from './request.ts'
import type { GrantOffer, HeldCallView, RequestBody } from './view.ts'

/** A held call in the process that holds it. The request's bytes are not kept, since many calls may wait. */
export interface HeldCall {
  readonly judgement: Judgement
  readonly body: RequestBody
  readonly requestDigest: string
  readonly preview: Preview
  readonly effect: string
  readonly offers: readonly GrantOffer[]
  readonly refused: readonly SandboxRefusal[]
  readonly openedAt: number
  /** The size of the journal before the call was held. */
  readonly after: number
}

/** A held call as surfaces get it. */
export function viewOf(held: HeldCall): HeldCallView {
  const { judgement, body, requestDigest, preview, effect, offers, refused, openedAt } = held
  const { call, risk, verdict, safety } = judgement
  return {
    id: call.id,
    request: requestText(body),
    requestDigest,
    preview,
    risk,
    verdict,
    findings: safety.findings,
    effect,
    said: call.said,
    ...(call.reasoning === null ? {} : { reasoning: call.reasoning }),
    confirmationMessage: call.confirmationMessage,
    toolDescription: call.description,
    offers,
    ...(refused.length === 0 ? {} : { refused }),
    openedAt,
  }
}
