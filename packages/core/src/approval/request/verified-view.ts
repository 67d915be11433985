import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { CountersignError } from '../../errors.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { manualCode, previewHash, reasoningHash, requestDigest, requestText } from './request.ts'
import type { HeldCallView, RequestBody } from './view.ts'

/** A view whose digests were recomputed from exactly what will be displayed. Only this form may be signed for. */
export interface OpenedView {
  readonly view: HeldCallView
  readonly body: RequestBody
  readonly code: string
}

/**
 * Recomputes every digest of a view from the content a surface is about to show. Throws when one does not match.
 * INVARIANT: L5, a view whose text and digest disagree is never offered for approval.
 */
export function openView(view: HeldCallView, crypto: Pick<Crypto, 'sha256'>): OpenedView {
  const body = parseBody(view.request)
  const same =
    requestDigest(view.request, crypto) === view.requestDigest &&
    body.held === view.id &&
    previewHash(view.preview, crypto) === body.previewHash &&
    (view.reasoning === undefined ? undefined : reasoningHash(view.reasoning, crypto)) === body.reasoningHash &&
    crypto.sha256(`countersign/call/v1\0${canonicalJson(body.call as unknown as Json)}`) === body.callDigest &&
    view.verdict.policyHash === body.policyHash &&
    view.risk.level === body.risk &&
    view.verdict.passkey === body.passkey
  if (!same) throw mismatch(view.id)
  return { view, body, code: manualCode(view.requestDigest) }
}

function parseBody(text: string): RequestBody {
  const body = JSON.parse(text) as RequestBody
  // INVARIANT: canonical bytes only, so that a request has one spelling.
  if (requestText(body) !== text) throw mismatch(body.held)
  return body
}

function mismatch(id: string): CountersignError {
  return new CountersignError(
    'CS_DECISION_MISMATCH',
    `the view of \`${id}\` does not match the held call; reject it or load it again`,
  )
}
