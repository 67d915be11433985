import { safeText } from '@countersign/core'
import type { ReactNode } from 'react'
import type { Paint } from '../card/text/color.ts'
import { join } from '../card/text/rows.ts'
import { cutText } from '../card/text/truncate.ts'
import { Line } from '../ink/line.tsx'
import type { ChatStatus } from './transcript/source.ts'

/** One line: what the agent does, under which preset, with which model, and what it cost. */
export function ChatStatusLine({
  status,
  doing,
  tokens,
  columns,
  paint,
}: {
  readonly status: ChatStatus
  readonly doing: string
  readonly tokens: number
  readonly columns: number
  readonly paint: Paint
}): ReactNode {
  const { model, preset, session, isClassic } = status
  const cost = tokens === 0 ? safeText('') : safeText(` · ${tokens.toLocaleString('en')} tokens`)
  if (isClassic) {
    const text = join`  ${safeText(doing)} · CLASSIC: nothing is held · ${model}${cost}`
    return <Line>{paint(cutText(text, columns - 1), 'yellow', 'bold')}</Line>
  }
  const text = join`  ${safeText(doing)} · ${preset} · ${model}${cost} · session ${session}`
  return <Line>{paint(cutText(text, columns - 1), 'dim')}</Line>
}
