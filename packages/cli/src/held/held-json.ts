import { markOf, type OpenedView, toolLabel } from '@countersign/core'
import { actFor } from '@countersign/terminal/card'

/** One held call in a list, as data. Arguments stay out of lists: they may hold secrets. */
export function heldRow({ view, body }: OpenedView) {
  return {
    id: view.id,
    mark: markOf(view),
    risk: view.risk.level,
    supervision: body.supervision,
    passkey: body.passkey === true,
    tool: toolLabel(body.call.tool),
    agent: body.call.agent,
    session: body.call.session,
    effect: view.effect,
    rule: view.verdict.rule,
    openedAt: new Date(view.openedAt).toISOString(),
    expiresAt: new Date(body.expiresAt).toISOString(),
    requestDigest: view.requestDigest,
  }
}

/** One held call in full, as data, with the code where approving needs it. */
export function heldJson(opened: OpenedView) {
  const { view, body, code } = opened
  return {
    ...heldRow(opened),
    request: body,
    preview: view.preview,
    reasons: view.verdict.reasons,
    riskReasons: view.risk.reasons,
    findings: view.findings,
    said: view.said,
    grants: view.offers,
    ...(actFor(body.supervision, view.risk.level) === 'one' ? {} : { code }),
  }
}
