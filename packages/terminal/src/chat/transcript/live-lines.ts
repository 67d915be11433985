import { safeText } from '@countersign/core'
import type { Paint } from '../../card/text/color.ts'
import { agentLines, type Gutter } from './agent-lines.ts'
import type { ChatState } from './reducer.ts'
import { toolLines } from './tool-lines.ts'

/** What is being said and what runs, newest last; of more than fit, the end. */
export function liveLines(
  { live, speech, speaker }: Pick<ChatState, 'live' | 'speech' | 'speaker'>,
  look: {
    readonly columns: number
    readonly rows: number
    readonly paint: Paint
    readonly gutter?: Gutter
    readonly now: number
  },
): readonly string[] {
  const { columns, rows, paint, gutter = 'drawn', now } = look
  if (rows <= 0) return []
  const width = Math.max(16, columns - 1)
  let before = speaker
  const spoken = speech.flatMap(({ agent, line, isFirst: isFresh, isCode }) => {
    if (line.trim() === '') return []
    const text = safeText(line.toWellFormed().replaceAll('\t', '    '))
    const isFirst = isFresh || before !== agent
    before = agent
    return agentLines({ agent, text, isFirst, isCode }, width, paint, gutter)
  })
  const output = live.length === 0 ? 0 : Math.max(0, Math.min(5, Math.floor(rows / live.length) - 1))
  const calls = live.map((row) => toolLines(row, { columns: width, paint, now, output }))
  const all = [...spoken, ...calls.flat()]
  if (all.length <= rows) return all
  const hidden = `… ${live.length > rows ? `${live.length} calls on their way` : 'more above'}`
  return [paint(hidden, 'dim'), ...all.slice(all.length - rows + 1)].slice(0, rows)
}
