import { type Intent, type IntentScope, type IntentSign, type SignKind, safeText } from '@countersign/core'
import { createPaint, RISK_GLYPH, RISK_STYLE } from '@countersign/terminal/card'
import type { Io } from '../terminal/io.ts'
import { dataColumns, hangText, layTable } from '../terminal/layout.ts'

const WHY: Readonly<Record<SignKind, string>> = {
  ask: 'asks for leave',
  announcement: 'announces',
  doubt: 'doubts that it is safe',
  warning: 'warns of harm or of no way back',
  claim: 'claims that somebody allowed it',
  tag: 'is marked by a tag',
  harmless: 'asks about nothing that changes anything',
}

/** What was found, as people read it: the answer, its scope, and each sentence with why it counts. */
export function intentLines(
  { confirmation_required, risk_level, action_type, scope, signs, sentences }: Intent,
  io: Io,
): readonly string[] {
  const paint = createPaint(io.color)
  const head = confirmation_required ? 'a person must confirm' : 'nobody needs to confirm'
  const facts = [['action', action_type], ...scopeRows(scope)].map((row) => row.map((cell) => safeText(cell)))
  const lines = [
    paint(`${RISK_GLYPH[risk_level]} ${risk_level.toUpperCase()} · ${head}`, ...RISK_STYLE[risk_level]),
    ...layTable(facts, dataColumns(io)).map((line) => `  ${line}`),
  ]
  for (const [at, sentence] of [[-1, 'beside the text'] as const, ...sentences.entries()]) {
    const here = signs.filter((sign) => sign.sentence === at)
    if (here.length === 0) continue
    lines.push('', ...hangText(safeText(sentence), dataColumns(io) - 2, 2).map((line) => `  ${line}`))
    for (const why of new Set(here.map(whyText))) lines.push(`    ${why}`)
  }
  if (signs.length === 0) lines.push('', '  nothing is asked, announced or doubted')
  return lines
}

function whyText({ kind, level, action, scope }: IntentSign): string {
  const what = action === 'other' || action === 'none' ? '' : `: ${action}`
  const details = scopeRows(scope).map(([name, value]) => `${name} ${value}`)
  return safeText(`${level.padEnd(9)} ${WHY[kind]}${what}${details.length === 0 ? '' : ` (${details.join(', ')})`}`)
}

function scopeRows(scope: IntentScope): readonly (readonly [string, string])[] {
  return Object.entries(scope).map(([name, value]) => [name, String(value)] as const)
}
