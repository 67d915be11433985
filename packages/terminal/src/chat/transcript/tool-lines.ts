import { RISK_GLYPH, type SafeText, safeText, wrapText } from '@countersign/core'
import { timeOfDay } from '../../card/receipt-line.ts'
import type { Paint, Style } from '../../card/text/color.ts'
import { join } from '../../card/text/rows.ts'
import type { ToolRow } from './reducer.ts'
import type { ToolState } from './source.ts'

/** Symbol and color of each state. */
const SIGNS: Readonly<Record<ToolState, readonly [sign: string, style: Style]>> = {
  requested: ['◦', 'dim'],
  held: ['◆', 'yellow'],
  running: ['▸', 'cyan'],
  completed: ['✔', 'green'],
  failed: ['✘', 'red'],
  denied: ['✖', 'red'],
  rejected: ['✖', 'red'],
  expired: ['◌', 'yellow'],
  withdrawn: ['◌', 'yellow'],
  stale: ['◌', 'yellow'],
  refused: ['✖', 'yellow'],
  unknown: ['◌', 'yellow'],
}

const RISKY: ReadonlySet<ToolState> = new Set(['held', 'denied', 'expired', 'withdrawn'])
const WORD = 'requested'.length
const SGR = /\x1b\[[0-9;:]*m/g

/** A tool call as rows: state, effect, receipt, and the end of its output. */
export function toolLines(row: ToolRow, look: ToolLook): readonly string[] {
  const { columns, paint, now } = look
  const [sign, style] = SIGNS[row.state]
  const word = columns >= 60 ? row.state.padEnd(WORD) : row.state
  const lead = 2 + word.length + 1
  const what = join`${headOf(row)}${tailOf(row, now, look.undo)}`
  const [first = safeText(''), ...rest] = wrapText(what, Math.max(8, columns - lead))
  const indent = columns >= 60 ? lead : 2
  const under = rest.length === 0 ? [] : wrapText(rest.join('') as SafeText, Math.max(8, columns - indent))
  return [
    `${paint(sign, style)} ${paint(word, style)} ${first}`,
    ...under.map((line) => `${' '.repeat(indent)}${line}`),
    ...underLines(row, look).map((line) => `  ${line}`),
  ]
}

/** Options for drawing a tool call. */
export interface ToolLook {
  readonly columns: number
  readonly paint: Paint
  /** Wall-clock time, for running calls. */
  readonly now: number
  /** Maximum rows of output. */
  readonly output: number
  /** The undo command, without the call's name. */
  readonly undo?: string | undefined
}

/** The sub-agent, and the effect or the tool name. */
function headOf({ agent, effect, tool }: ToolRow): SafeText {
  const who = agent === null ? safeText('') : join`[${agent}] `
  return effect === null ? join`${who}${tool}` : join`${who}${effect}`
}

function tailOf(row: ToolRow, now: number, how = '/undo'): SafeText {
  const tool = row.effect === null ? safeText('') : join` · ${row.tool}`
  const notice = row.isNotice ? safeText(' · notice') : safeText('')
  const place = row.isContained ? safeText(' · in the sandbox') : safeText('')
  const time = row.startedAt === null ? safeText('') : safeText(` · ${seconds((row.endedAt ?? now) - row.startedAt)}`)
  const undo = row.isUndoable && row.state === 'completed' ? safeText(` · ${how} ${nameOf(row)}`) : safeText('')
  // Show the risk only where no receipt shows it.
  const isRisky = row.risk !== null && row.decided === null && RISKY.has(row.state)
  const risk = isRisky ? safeText(` · ${RISK_GLYPH[row.risk]} ${row.risk}`) : safeText('')
  return join`${tool}${risk}${notice}${place}${time}${undo}`
}

function underLines(row: ToolRow, { columns, paint, output }: ToolLook): readonly string[] {
  const lines: string[] = []
  const room = Math.max(8, columns - 4)
  const put = (text: SafeText, ...styles: readonly Style[]): void => {
    for (const [at, part] of wrapText(text, room).entries())
      lines.push(`${paint(at === 0 ? '└' : ' ', 'dim')} ${paint(part, ...styles)}`)
  }
  for (const line of outputLines(row.output, output))
    lines.push(`${paint('│', 'dim')} ${paint(cut(line, room), 'dim')}`)
  for (const warning of row.warnings) put(warning)
  if (row.decided !== null) put(receiptOf(row, row.decided), 'dim')
  // The receipt already reports a rejection; without one, this call was not held.
  if (row.why !== null && !(row.state === 'rejected' && row.decided !== null)) put(row.why)
  return lines
}

/** The short id if the call was held, otherwise the start of its id. */
function nameOf({ mark, callId }: ToolRow): string {
  return mark ?? callId.slice(0, 8)
}

/** The receipt: who decided, when, and how long the call was held. */
function receiptOf(row: ToolRow, decided: NonNullable<ToolRow['decided']>): SafeText {
  const { heldAt, risk, reason } = row
  const word = safeText(
    `${decided.decision === 'approve' ? 'approved' : 'rejected'}${decided.isEdited ? ' edited' : ''}`,
  )
  const where = decided.surface === null ? safeText('') : join` (${decided.surface})`
  const level = risk === null ? '' : ` · ${RISK_GLYPH[risk]} ${risk}`
  const held = heldAt === null ? '' : ` · held ${seconds(decided.at - heldAt)}`
  const why = reason === null ? safeText('') : join`: “${reason}”`
  return join`${word} by ${decided.by}${where}${why} · ${timeOfDay(decided.at)}${safeText(`${level}${held} · ${nameOf(row)}`)}`
}

/**
 * The last lines of an output, with a hint if there were more. Its colors are removed; other control sequences are
 * escaped.
 */
export function outputLines(output: string, count: number): readonly SafeText[] {
  if (count === 0 || output === '') return []
  const lines = output.replace(SGR, '').replaceAll('\t', '    ').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const isCut = lines.length > count && count > 1
  const shown = lines.slice(isCut ? 1 - count : -count).map(lastWritten)
  return isCut ? [safeText('… more above'), ...shown] : shown
}

/** The visible end of a line after carriage returns. */
function lastWritten(line: string): SafeText {
  const shown = line.endsWith('\r') ? line.slice(0, -1) : line
  return safeText(shown.slice(shown.lastIndexOf('\r') + 1).toWellFormed())
}

function cut(text: SafeText, columns: number): string {
  return wrapText(text, columns)[0] ?? ''
}

function seconds(ms: number): string {
  return ms < 59_950 ? `${(Math.max(0, ms) / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}
