import { type SafeText, sliceSafe, wrapText } from '@countersign/core'
import type { Paint, Style } from '../../card/text/color.ts'
import { paintSpans, type StyledSpan } from '../../card/text/rows.ts'

/** Prefix of an agent's text: a bar, a word for screen readers, or none. */
export type Gutter = 'drawn' | 'spoken' | 'none'

/** One line of an agent's text. */
export interface AgentLine {
  readonly agent: SafeText | null
  readonly text: SafeText
  readonly isFirst: boolean
  readonly isCode: boolean
}

const BAR = '▎'

/**
 * A line of an agent's text. SECURITY: A15 every row has the gutter, with and without color, so that the text cannot
 * imitate a call, a receipt, a note, another agent's label or the person's own message.
 */
export function agentLines(line: AgentLine, columns: number, paint: Paint, gutter: Gutter): readonly string[] {
  const { agent, text, isFirst, isCode } = line
  const lead = leadOf(agent, gutter)
  const rows = textLines(text, Math.max(8, columns - lead.length), paint, isCode)
  const label = isFirst && agent !== null && gutter !== 'spoken' ? [paint(`[${agent}]`, 'magenta')] : []
  return [...(isFirst ? [''] : []), ...label, ...rows.map((row) => `${paint(lead, 'dim')}${row}`.trimEnd())]
}

function leadOf(agent: SafeText | null, gutter: Gutter): string {
  if (gutter === 'none') return ''
  if (gutter === 'drawn') return `${BAR} `
  return agent === null ? 'agent: ' : `agent ${agent}: `
}

/** Markdown at the start of a line. */
const HEADING = /^#{1,6} /
const ITEM = /^( *)(?:[-*+]|\d{1,3}[.)]) /
const QUOTE = /^> ?/
/** Bold and code, the only styled inline Markdown. */
const MARKS = /`[^`]+`|\*\*[^*]+\*\*/g

/** A line of Markdown as wrapped rows. Headings, lists, bold and code are styled; every character stays. */
function textLines(text: SafeText, columns: number, paint: Paint, isCode: boolean): readonly string[] {
  if (isCode) return wrapText(text, Math.max(8, columns - 2)).map((row) => `${paint('│ ', 'dim')}${paint(row, 'cyan')}`)
  const styles: readonly Style[] = HEADING.test(text) ? ['bold'] : QUOTE.test(text) ? ['dim'] : []
  const hang = ITEM.exec(text)?.[0].length ?? 0
  const spans = [...text.matchAll(MARKS)].map(
    ({ 0: found, index }): StyledSpan => ({
      start: index,
      end: index + found.length,
      styles: found.startsWith('`') ? ['cyan'] : ['bold'],
    }),
  )
  let at = 0
  return hangingRows(text, columns, hang).map((row, place) => {
    const painted = paintSpans(row, at, { styles, spans }, paint)
    at += row.length
    return place === 0 ? painted : `${' '.repeat(hang)}${painted}`
  })
}

/** Wraps text with a hanging indent. */
function hangingRows(text: SafeText, columns: number, hang: number): readonly SafeText[] {
  const [first, ...rest] = wrapText(text, Math.max(8, columns))
  if (first === undefined || rest.length === 0 || hang === 0) return first === undefined ? [] : [first, ...rest]
  return [first, ...wrapText(sliceSafe(text, first.length), Math.max(8, columns - hang))]
}
