import { type SafeText, sliceSafe, wrapText } from '@countersign/core'
import type { Paint, Style } from '../../card/text/color.ts'
import { paintSpans, type StyledSpan } from '../../card/text/rows.ts'

/** What stands before each row of an agent's text: a bar, a word for those who listen, or nothing where it stands alone. */
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
 * One line of what an agent said. SECURITY: A15 every row of it stands behind the gutter, with and without colours, so
 * that no text looks like a call, a receipt, a note, another agent's label or the person's own words.
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

/** How the beginning of a line of Markdown is drawn; nothing of it is left out. */
const HEADING = /^#{1,6} /
const ITEM = /^( *)(?:[-*+]|\d{1,3}[.)]) /
const QUOTE = /^> ?/
/** Bold and code in a line, the only marks that are coloured: each alternative ends at the first of its closing signs. */
const MARKS = /`[^`]+`|\*\*[^*]+\*\*/g

/**
 * One line of an agent's Markdown as rows of a width: headings, lists, bold and code are coloured, and every character
 * stays. Colour cannot say anything that the text does not.
 */
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

/** Rows that stand further in from the second on, as an item of a list does. */
function hangingRows(text: SafeText, columns: number, hang: number): readonly SafeText[] {
  const [first, ...rest] = wrapText(text, Math.max(8, columns))
  if (first === undefined || rest.length === 0 || hang === 0) return first === undefined ? [] : [first, ...rest]
  return [first, ...wrapText(sliceSafe(text, first.length), Math.max(8, columns - hang))]
}
