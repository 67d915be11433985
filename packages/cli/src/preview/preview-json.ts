import { type OpenedView, toolLabel } from '@countersign/core'

/** What a call would do, as data. */
export function previewJson({ view, body }: OpenedView) {
  return {
    tool: toolLabel(body.call.tool),
    effect: view.effect,
    risk: view.risk.level,
    supervision: body.supervision,
    rule: view.verdict.rule,
    reasons: view.verdict.reasons,
    riskReasons: view.risk.reasons,
    findings: view.findings,
    preview: view.preview,
  }
}
