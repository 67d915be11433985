import {
  markOf,
  type OpenedView,
  permissionQuestion,
  rightToLeftRuns,
  ruleWords,
  safeText,
  toolLabel,
} from '@countersign/core'
import { type CardLook, targetsOf } from './card.ts'
import { actFor } from './prompt/choice.ts'
import { timeText } from './text/format.ts'
import { jsonLines } from './text/json-lines.ts'
import { createRows, join, paragraph, type Rows } from './text/rows.ts'

/** The details that the card leaves out, with the code if approving needs it. */
export function detailLines(opened: OpenedView, look: CardLook): readonly string[] {
  const { view, body, code } = opened
  const { tool, args, session, agent } = body.call
  const rows = createRows(look.columns, look.paint)
  rows.gap()
  rows.text(join`details of ${safeText(markOf(view))}`, { indent: 0, styles: ['bold'] })
  // The card has shown every argument of a question in words.
  if (permissionQuestion(opened) !== null) return questionDetails(opened, rows)
  rows.field('tool', [paragraph(toolLabel(tool))])
  if (view.toolDescription !== null)
    rows.field('described', [paragraph(`“${view.toolDescription}” (from the tool, not verified)`, 'dim')])
  rows.field('agent', [paragraph(`${agent.join(' › ')}${session === null ? ', no session' : `, session ${session}`}`)])
  rows.field('judged', [
    paragraph(`risk ${view.risk.level}, reversible: ${view.risk.reversible}, supervision ${body.supervision}`),
  ])
  rows.field(
    'rules',
    view.verdict.contributors.map((rule) => paragraph(ruleWords(rule))),
  )
  rows.field(
    'risk',
    view.risk.reasons.map(({ rule, level, text }) => paragraph(`${text} (${level}, ${rule})`)),
  )
  const targets = targetsOf(body.targets)
  if (targets.length > 0)
    rows.field(
      'targets',
      targets.map(({ given, real, type, content }) =>
        paragraph(`${given === real ? given : `${given} → ${real}`}, ${type}${boundWord(content)}`),
      ),
    )
  rows.field('expires', [{ text: timeText(body.expiresAt) }])
  const runs = rightToLeftRuns(JSON.stringify(args))
  if (runs.length > 0)
    rows.field(
      'letters',
      runs.map((run) => paragraph(run)),
    )
  thinkingRows(view.reasoning, rows)
  rows.field('arguments', [
    paragraph(
      look.covered === true
        ? 'as the tool would get them, with secrets masked:'
        : 'exactly as the tool would get them:',
    ),
  ])
  rows.block(jsonLines(args))
  if (actFor(body.supervision, view.risk.level) !== 'one') rows.field('code', [paragraph(code, 'bold')])
  return rows.lines
}

function questionDetails({ view, body, code }: OpenedView, rows: Rows): readonly string[] {
  const { session, agent } = body.call
  rows.field('agent', [
    paragraph(`${agent.join(' › ')}${session === null ? ', no session' : `, session ${session.slice(0, 8)}`}`),
  ])
  rows.field('expires', [{ text: timeText(body.expiresAt) }])
  thinkingRows(view.reasoning, rows)
  if (actFor(body.supervision, view.risk.level) !== 'one') rows.field('code', [paragraph(code, 'bold')])
  return rows.lines
}

function thinkingRows(reasoning: string | undefined, rows: Rows): void {
  if (reasoning === undefined) return
  rows.field('thinking', [paragraph('the agent’s words, not verified:', 'dim')])
  rows.block(reasoning.split('\n').map((line) => paragraph(line, 'dim')))
}

/** A target without a hash is named as such; its hash is with the digests. */
function boundWord(content: string): string {
  return content === 'unbound' ? ', not bound' : ''
}

/** The digests of a call, for comparing with the journal; nobody needs them to decide. */
export function digestLines({ view, body }: OpenedView, look: CardLook): readonly string[] {
  const rows = createRows(look.columns, look.paint)
  rows.gap()
  rows.text(safeText('digests'), { indent: 0, styles: ['bold'] })
  rows.field('call', [paragraph(view.id)])
  rows.field('request', [paragraph(view.requestDigest)])
  rows.field('policy', [paragraph(body.policyHash)])
  rows.field('definition', [paragraph(body.call.tool.definition)])
  const targets = targetsOf(body.targets)
  if (targets.length > 0)
    rows.field(
      'targets',
      targets.map(({ given, content }) => paragraph(`${given}: ${content}`)),
    )
  return rows.lines
}
