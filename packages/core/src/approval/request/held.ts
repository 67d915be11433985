import type { TargetState } from '../../ports/targets.ts'
import type { Preview } from '../../preview/model/preview.ts'
import type { Judgement } from './judgement.ts'
import { type HeldRequest, requestText } from './request.ts'
import type { GrantOffer, HeldCallView } from './view.ts'

/** A held call inside the process that holds it. */
export interface Held {
  readonly judgement: Judgement
  readonly request: HeldRequest
  readonly targets: readonly TargetState[]
  readonly preview: Preview
  readonly effect: string
  readonly offers: readonly GrantOffer[]
  readonly openedAt: number
  /** How long the journal was before the call was held. */
  readonly after: number
}

/** A held call as surfaces get it. */
export function viewOf(held: Held): HeldCallView {
  const { judgement, request, preview, effect, offers, openedAt } = held
  const { call, risk, verdict, safety } = judgement
  return {
    id: call.id,
    request: requestText(request.body),
    requestDigest: request.digest,
    preview,
    risk,
    verdict,
    findings: safety.findings,
    effect,
    said: call.said,
    confirmationMessage: call.confirmationMessage,
    toolDescription: call.description,
    offers,
    openedAt,
  }
}
