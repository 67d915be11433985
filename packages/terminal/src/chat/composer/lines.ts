import { type SafeText, safeText, wrapText } from '@countersign/core'
import type { Paint } from '../../card/text/color.ts'
import { join } from '../../card/text/rows.ts'
import type { Cell, ComposerState } from './line-editor.ts'

const CURSOR = '▏' as SafeText

/** Options for drawing the message. */
export interface ComposerLook {
  readonly columns: number
  readonly rows: number
  readonly paint: Paint
  /** Placeholder while the message is empty. */
  readonly hint: SafeText
  /** Another part of the screen has the keyboard. */
  readonly isAway: boolean
}

/** The message being written as rows, around the cursor. */
export function composerLines({ cells, cursor }: ComposerState, look: ComposerLook): readonly string[] {
  const { columns, rows, paint, hint, isAway } = look
  const width = Math.max(8, columns - 3)
  const mark = (at: number): string => paint(at === 0 ? '❯' : ' ', isAway ? 'dim' : 'cyan')
  if (cells.length === 0) {
    const [shown = ''] = wrapText(hint, width - 1)
    return [`${mark(0)} ${isAway ? '' : CURSOR}${paint(shown.trimEnd(), 'dim')}`]
  }
  const before = linesOf(cells.slice(0, cursor))
  const after = linesOf(cells.slice(cursor))
  const joint = join`${before.at(-1) ?? safeText('')}${isAway ? safeText('') : CURSOR}${after[0] ?? safeText('')}`
  const lead = before.slice(0, -1).flatMap((line) => wrapText(line, width))
  const own = wrapText(joint, width)
  const all = [...lead, ...own, ...after.slice(1).flatMap((line) => wrapText(line, width))]
  const cursorRow =
    lead.length +
    Math.max(
      0,
      own.findIndex((row) => row.includes(CURSOR)),
    )
  const first = Math.max(0, Math.min(cursorRow - rows + 1, all.length - rows))
  const top = Math.min(Math.max(first, 0), Math.max(0, all.length - rows))
  return all
    .slice(top, top + rows)
    .map((row, at) => `${mark(top + at)} ${paint(row.trimEnd(), ...(isAway ? (['dim'] as const) : []))}`)
}

/** The lines of the cells; a paste is shown by its length. */
function linesOf(cells: readonly Cell[]): readonly SafeText[] {
  const lines: SafeText[] = []
  let run = ''
  let line = safeText('')
  const flush = (): void => {
    line = join`${line}${safeText(run)}`
    run = ''
  }
  for (const cell of cells) {
    if (typeof cell !== 'string') {
      flush()
      line = join`${line}${safeText(`[pasted ${cell.pasted.length.toLocaleString('en')} characters]`)}`
    } else if (cell === '\n') {
      flush()
      lines.push(line)
      line = safeText('')
    } else run += cell
  }
  flush()
  return [...lines, line]
}
