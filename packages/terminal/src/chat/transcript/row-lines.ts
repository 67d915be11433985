import { safeLines, safeText, wrapText } from '@countersign/core'
import type { Paint } from '../../card/text/color.ts'
import { agentLines, type Gutter } from './agent-lines.ts'
import type { ChatRow, ChatState } from './reducer.ts'
import { toolLines } from './tool-lines.ts'

/** Maximum rows of the person's own message. */
const PERSON_SHOWN = 12
const OUTPUT_SHOWN = 6

/** A finished row as painted lines. */
export function rowLines(
  row: ChatRow,
  columns: number,
  paint: Paint,
  { gutter = 'drawn', undo }: { readonly gutter?: Gutter; readonly undo?: string } = {},
): readonly string[] {
  const width = Math.max(16, columns - 1)
  switch (row.kind) {
    case 'person':
      return ['', ...personLines(row.text, width, paint)]
    case 'agent':
      return agentLines(row, width, paint, gutter)
    case 'tool':
      return toolLines(row, { columns: width, paint, now: row.endedAt ?? row.requestedAt, output: OUTPUT_SHOWN, undo })
    case 'note':
      return row.lines.flatMap((line) =>
        wrapText(line, width - 2).map(
          (part, at) =>
            `${paint(at === 0 ? '·' : ' ', 'dim')} ${paint(part, row.tone === 'warning' ? 'yellow' : 'dim')}`,
        ),
      )
  }
}

function personLines(text: string, width: number, paint: Paint): readonly string[] {
  const lines = safeLines(text.slice(0, 20_000).toWellFormed()).flatMap((line) => wrapText(line, width - 2))
  const shown = lines.length > PERSON_SHOWN ? lines.slice(0, PERSON_SHOWN - 1) : lines
  const more =
    lines.length > shown.length || text.length > 20_000
      ? [paint(safeText(`  … ${text.length.toLocaleString('en')} characters in all`), 'dim')]
      : []
  return [...shown.map((line, at) => `${paint(at === 0 ? '❯' : ' ', 'cyan', 'bold')} ${paint(line, 'bold')}`), ...more]
}

/** Unfinished text and running calls, newest last; only the end if they do not fit. */
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
  const hidden = `… ${live.length > rows ? `${live.length} calls in progress` : 'more above'}`
  return [paint(hidden, 'dim'), ...all.slice(all.length - rows + 1)].slice(0, rows)
}
