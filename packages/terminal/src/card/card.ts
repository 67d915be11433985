import {
  containmentText,
  countedWords,
  type OpenedView,
  type PermissionQuestion,
  permissionQuestion,
  RISK_GLYPH,
  refusedText,
  rulePlace,
  type SafeText,
  safeText,
  toolLabel,
} from '@countersign/core'
import type { Highlight } from './preview/diff.ts'
import { previewRows } from './preview/preview.ts'
import { type Paint, RISK_STYLE } from './text/color.ts'
import { valueLines } from './text/json-lines.ts'
import { createRows, join, type Paragraph, paragraph, type Rows } from './text/rows.ts'

/** Options for drawing a card. */
export interface CardLook {
  readonly columns: number
  readonly paint: Paint
  /** Hint where folded text is shown in full; null folds nothing. */
  readonly full?: string | null
  /** Whether to draw the header line; a framed card has its own. */
  readonly header?: boolean
  /** Draw diffs side by side. */
  readonly split?: boolean
  /** Secrets are masked. */
  readonly covered?: boolean
  /** Highlights code. */
  readonly highlight?: Highlight
}

/** A drawn card. */
export interface Card {
  readonly lines: readonly string[]
  /** Number of folded rows; 0 if everything is shown. */
  readonly folded: number
}

const SAID_SHOWN = 500
const THINKING_SHOWN = 60
const REASONS_SHOWN = 12

/**
 * Draws a held call: everything that would run, in full, then why it is held and what is known about it.
 * INVARIANT: L5 drawn only from a view whose digest was verified.
 */
export function drawCard(opened: OpenedView, look: CardLook): Card {
  const { view, body } = opened
  const rows = createRows(look.columns, look.paint, look.full)
  if (look.header !== false) {
    rows.gap()
    rows.text(headerText(opened), { indent: 0, styles: RISK_STYLE[view.risk.level] })
  }
  // The effect quotes only part of a command or query; the preview below shows all of it.
  const question = permissionQuestion(opened)
  if (question !== null) questionRows(question, rows)
  else {
    if (view.preview.kind !== 'command' && view.preview.kind !== 'query')
      rows.text(safeText(view.effect), { styles: ['bold'] })
    rows.text(join`in ${safeText(body.call.cwd)}${machineText(body)}${placeText(body)}`, { styles: ['dim'] })
    rows.gap()
    previewRows(opened, rows, look)
  }
  rows.gap()
  refused(opened, rows)
  why(opened, rows)
  checks(opened, rows)
  unbound(opened, rows)
  if (view.confirmationMessage !== null && question === null)
    rows.field('tool says', [paragraph(quoted(view.confirmationMessage), 'dim')])
  // SECURITY: A15 the agent's words come last, marked as its own, never as the headline.
  if (view.said !== null && view.said !== '' && view.said !== question?.said)
    rows.field('agent said', [paragraph(`${quoted(view.said)} (agent’s words, unverified)`, 'dim')])
  if (view.reasoning !== undefined) rows.field('thinking', [paragraph(thinkingText(view.reasoning), 'dim')])
  return { lines: rows.lines, folded: rows.folded }
}

/** The beginning of the agent's thinking; all of it is in the details. */
function thinkingText(text: string): string {
  const first = text.trimStart().split('\n', 1)[0] ?? ''
  const size = `${countedWords(text.length, 'character')}, unverified; see the details`
  return `“${first.slice(0, THINKING_SHOWN).toWellFormed()}…” (${size})`
}

/** What the agent asks, in its own words and marked as such; nothing runs by the answer. */
function questionRows({ asks, announces, said, facts }: PermissionQuestion, rows: Rows): void {
  const announced =
    announces === null ? 'The agent asks whether to continue' : `The agent wants to continue: “${announces}”`
  const words = asks === null ? announced : `The agent asks: “${asks}”`
  rows.text(safeText(words), { styles: ['bold'] })
  rows.text(safeText('Proceed lets it continue; each of its calls is still checked. Cancel tells it not to.'), {
    styles: ['dim'],
  })
  rows.gap()
  if (said.trim() !== (asks ?? announces)) {
    rows.text(safeText('in full (agent’s words, unverified):'), { styles: ['dim'] })
    rows.block(valueLines(said))
  }
  if (facts.length > 0) rows.text(safeText(facts.map(([name, value]) => `${name}: ${value}`).join(' · ')))
}

/** Which machine it was asked on, where several share the store. */
function machineText({ machine }: OpenedView['body']): SafeText {
  return safeText(machine === undefined ? '' : ` on ${machine}`)
}

/** Where a command would run. */
function placeText({ contain }: OpenedView['body']): SafeText {
  const where = containmentText(contain)
  return safeText(where === null ? '' : ` · ${where}`)
}

/** What the sandbox refused to the same command before, which now asks to run outside. */
function refused({ view }: OpenedView, rows: Rows): void {
  const lines = (view.refused ?? []).map((one) => paragraph(`· ${refusedText(one)}`))
  if (lines.length > 0) rows.field('sandbox', [paragraph('when this command last ran:', 'dim'), ...lines])
}

/** The lines of a card. */
export function cardLines(opened: OpenedView, look: CardLook): readonly string[] {
  return drawCard(opened, look).lines
}

/** Risk, supervision, tool and agent in one line. An edited call has no risk until it is judged again. */
export function headerText({ view, body }: OpenedView, isEdited = false): SafeText {
  const { level } = view.risk
  const rated = isEdited ? 'edited, not rated yet' : `${RISK_GLYPH[level]} ${level.toUpperCase()}`
  const agent = agentWords(body.call.agent)
  const supervision = body.supervision === 'manual' ? ' · manual' : ''
  return safeText(`${rated}${supervision} · ${toolLabel(body.call.tool)}${agent}`)
}

/** The agent, if it has a name. */
function agentWords(path: readonly string[]): string {
  return path.length === 1 && path[0] === 'agent' ? '' : ` · agent ${path.join(' › ')}`
}

/** Labels for calls that need no approval: `preview` draws their cards too. */
const WHY_LABEL: Readonly<Record<string, string>> = {
  automatic: 'why allowed',
  notify: 'why allowed',
  deny: 'why denied',
}

function why({ view, body }: OpenedView, rows: Rows): void {
  const { rule, reasons } = view.verdict
  rows.field(WHY_LABEL[body.supervision] ?? 'why asked', [
    ...reasons.slice(0, REASONS_SHOWN).map((reason) => paragraph(`· ${reason}`)),
    // The reason of a preset's row names the preset already.
    ...(rule.id.startsWith('preset.') ? [] : [paragraph(`· rule ${rule.id} (${rulePlace(rule)})`)]),
  ])
  const all = [...new Set(view.risk.reasons.map((reason) => `· ${reason.text} (${reason.level})`))]
  const risks = all.slice(0, REASONS_SHOWN).map((line) => paragraph(line))
  if (all.length > risks.length) risks.push(paragraph(`· ${all.length - risks.length} more in the details`))
  if (risks.length > 0) rows.field('risk', risks)
}

const FINDING = { pass: '✔', warn: '!', fail: '✖', skip: '–' } as const

function checks({ view }: OpenedView, rows: Rows): void {
  const passed = view.findings.filter(({ status }) => status === 'pass')
  const others = passed.length < 2 ? view.findings : view.findings.filter(({ status }) => status !== 'pass')
  const summary = paragraph(`${FINDING.pass} ${passed.map(({ checker }) => checker).join(', ')}`)
  const found = others.flatMap((finding): Paragraph[] => {
    const tail = finding.status === 'fail' && finding.overridable ? ' (approving overrides this)' : ''
    const line = paragraph(
      `${FINDING[finding.status]} ${finding.checker}: ${finding.message}${tail}`,
      ...(finding.status === 'fail' ? (['red'] as const) : []),
    )
    return finding.suggestion === undefined ? [line] : [line, paragraph(`  ${finding.suggestion}`, 'dim')]
  })
  if (passed.length > 1) found.push(summary)
  if (found.length > 0) rows.field('checks', found)
}

/** Lists targets that the approval does not bind: changes to them before the call runs go unnoticed. */
function unbound({ body }: OpenedView, rows: Rows): void {
  const names = targetsOf(body.targets)
    .filter((target) => target.content === 'unbound')
    .map((target) => `\`${target.given}\``)
  if (names.length === 0) return
  rows.field('not bound', [paragraph(`${names.join(', ')}: a change before the call runs would go unnoticed`)])
}

/** The targets of a request, read from its signed bytes. */
export function targetsOf(
  targets: OpenedView['body']['targets'],
): readonly { given: string; real: string; type: string; content: string }[] {
  return Array.isArray(targets) ? (targets as unknown as ReturnType<typeof targetsOf>) : []
}

function quoted(text: string): string {
  return text.length <= SAID_SHOWN
    ? `“${text}”`
    : `“${text.slice(0, SAID_SHOWN).toWellFormed()}…” (${text.length - SAID_SHOWN} more characters)`
}
