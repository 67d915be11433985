import { type OpenedView, safeJson } from '@countersign/core'
import { createPaint, createRows, drawCard, paragraph } from '@countersign/terminal/card'
import type { Io } from '../terminal/io.ts'

/** Columns where the lines go into a file or a pipe. */
const PIPE_COLUMNS = 100

const THEN: Readonly<Record<string, string>> = {
  automatic: 'it would run without asking',
  notify: 'it would run without asking, and a notice would say so',
  confirm: 'it would wait for a person',
  manual: 'it would wait for a person, who opens the details, types their code and gives a reason',
  deny: 'it would not run: policy denies it',
}

/** The card as the prompt would draw it, and what would come next. */
export function previewLines(opened: OpenedView, io: Io, full: boolean): readonly string[] {
  const columns = io.isTty.stdout ? io.columns : PIPE_COLUMNS
  const paint = createPaint(io.color)
  const { lines, folded } = drawCard(opened, { columns, paint, full: full ? null : '--full shows them' })
  const rows = createRows(columns, paint)
  rows.field('then', [paragraph(THEN[opened.body.supervision] ?? opened.body.supervision, 'bold')])
  // A very long diff is cut in the picture itself: the arguments have all of it.
  if (full && folded > 0) {
    rows.field('arguments', [paragraph('exactly as they would be used:')])
    rows.block(safeJson(opened.body.call.args).map((text) => ({ text })))
  }
  // The prompt begins with an empty line, to stand apart from what was printed before it.
  return [...lines.slice(lines[0] === '' ? 1 : 0), ...rows.lines]
}
