import type { SafeText } from '@countersign/core'
import type { Paint } from '../../card/text/color.ts'
import { textLines } from './markdown-lines.ts'

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
