import {
  type AssessedCall,
  displayWidth,
  RISK_GLYPH,
  type RiskReason,
  type RiskReport,
  safeText,
  toolLabel,
} from '@countersign/core'
import { createPaint, RISK_STYLE } from '@countersign/terminal/card'
import type { Io } from '../terminal/io.ts'
import { dataColumns, hangText } from '../terminal/layout.ts'

const UNDONE: Readonly<Record<RiskReport['reversible'], string>> = {
  yes: 'can be undone',
  partly: 'can be partly undone',
  no: 'cannot be undone',
  unknown: 'may not be undoable',
}
const REACH: Readonly<Record<RiskReport['magnitude']['reach'], string>> = {
  one: 'one item',
  several: 'several items',
  many: 'many items',
  all: 'everything',
  unknown: 'unknown',
}

/** A risk report as text: level, magnitude, and each reason below the words it refers to. */
export function riskLines(assessed: AssessedCall, io: Io): readonly string[] {
  const { call, risk } = assessed
  const paint = createPaint(io.color)
  const { level, magnitude, target, reasons, parts } = risk
  const count = magnitude.count === undefined ? '' : ` (${magnitude.count})`
  const lines = [
    paint(`${RISK_GLYPH[level]} ${level.toUpperCase()} · ${UNDONE[risk.reversible]}`, ...RISK_STYLE[level]),
    `  touches   ${REACH[magnitude.reach]}${count}`,
    ...(target === null ? [] : [`  target    ${safeText(target)}`]),
  ]
  const command = call.descriptor.command
  if (command === undefined) lines.push(`  tool      ${safeText(toolLabel(call.tool))}`)
  const [only] = parts
  const source = parts.length > 1 ? undefined : sourceOfPart(assessed, only?.command ?? null)
  if (source !== undefined) lines.push(`  row       ${source}`)
  lines.push('')
  const spanned = command === undefined ? [] : reasons.filter(({ span }) => span !== undefined)
  if (command !== undefined) lines.push(...commandLines(command, spanned, io))
  for (const reason of reasons) if (!spanned.includes(reason)) lines.push(...reasonLines(reason, 2, io))
  if (reasons.length === 0) lines.push('  no risk found')
  if (parts.length > 1) {
    lines.push('', '  parts')
    for (const { level, command } of parts) {
      const source = sourceOfPart(assessed, command)
      lines.push(`    ${level.padEnd(9)} ${safeText(command.text)}${source === undefined ? '' : `  (${source})`}`)
    }
  }
  return lines
}

/** The row of knowledge that answered for a simple command, or for the tool (null), as `file:line`. */
export function sourceOfPart(
  { rows }: AssessedCall,
  command: AssessedCall['rows'][number]['part'],
): string | undefined {
  return rows.find(({ part }) => part === command)?.source
}

/** The row of knowledge that gave a reason. */
export function sourceOfReason({ rows }: AssessedCall, { rule, text, span }: RiskReason): string | undefined {
  return rows.find((row) => row.rule === rule && row.text === text && row.part?.span.start === span?.start)?.source
}

/** The lines of the command, each with its markers below. */
function commandLines(command: string, reasons: readonly RiskReason[], io: Io): readonly string[] {
  const lines: string[] = []
  let start = 0
  for (const line of command.split('\n')) {
    const end = start + line.length
    lines.push(`  ${safeText(line)}`)
    for (const reason of reasons) {
      const { span } = reason
      if (span === undefined || span.start < start || span.start > end || (span.start === end && line !== '')) continue
      lines.push(...markLines(line, span.start - start, Math.min(span.end, end) - start, reason, io))
    }
    start = end + 1
  }
  return lines
}

/** `^^^` below the words, aligned with the escaped text. */
function markLines(line: string, from: number, to: number, reason: RiskReason, io: Io): readonly string[] {
  const paint = createPaint(io.color)
  const before = displayWidth(safeText(line.slice(0, from)))
  const width = Math.max(1, displayWidth(safeText(line.slice(from, to))))
  const marks = paint('^'.repeat(width), ...RISK_STYLE[reason.level])
  return [`  ${' '.repeat(before)}${marks}`, ...reasonLines(reason, 2 + Math.min(before, 40), io)]
}

function reasonLines({ level, text }: RiskReason, indent: number, io: Io): readonly string[] {
  const columns = Math.max(20, dataColumns(io) - indent)
  return hangText(safeText(`${level}: ${text}`), columns, 2).map((row) => `${' '.repeat(indent)}${row}`)
}
