import { readOwnPreview, type SafeText, safeText } from '@countersign/core'
import { type OpenedGate, planUndo, type UndoPlan, undoPreview } from '@countersign/node'
import { createPaint, cutText, ownPreviewLines, timeText } from '@countersign/terminal/card'
import { callName } from '../arguments/ids.ts'
import type { Io } from '../terminal/io.ts'
import { layTable } from '../terminal/layout.ts'
import { hasScreen, loadTerminal } from '../terminal/screen.ts'
import { findBackups, planLines, targetWords, type UndoableCall } from './undo-call.ts'

/** Lets a person pick calls from a list, with what would come back; empty if none was picked. */
export async function pickCalls(
  calls: readonly UndoableCall[],
  opened: OpenedGate,
  io: Io,
): Promise<readonly string[]> {
  const { pickUndo } = await loadTerminal()
  const idsOf = (picked: readonly number[]): readonly string[] => picked.flatMap((at) => calls[at]?.id ?? [])
  const picked = await pickUndo({
    calls: layTable(calls.map(cells), Number.POSITIVE_INFINITY) as readonly SafeText[],
    async preview(marked, columns) {
      const plan = await planUndo(opened.home, await findBackups(idsOf(marked), opened))
      if (plan.steps.length === 0) return ['  nothing to do: the files are unchanged']
      return previewOf(plan, opened, columns, io)
    },
    color: io.color,
    stdout: io.stdout,
    linear: io.env['INK_SCREEN_READER'] === 'true',
  })
  return idsOf(picked)
}

/** Whether there is a screen to pick on. */
export function canPick(io: Io): boolean {
  return !io.json && hasScreen(io)
}

function cells(call: UndoableCall): readonly SafeText[] {
  const { backup, summary } = call
  const time = safeText(timeText(backup.madeAt).slice(5, 16))
  return [time, callName(call), safeText(summary === '' ? targetWords(backup) : summary)]
}

/** What an undo brings back, as rows: a diff for each file. */
export async function previewOf(
  plan: UndoPlan,
  { home, places }: Pick<OpenedGate, 'home' | 'places'>,
  columns: number,
  io: Io,
): Promise<readonly string[]> {
  const left = planLines(plan, []).filter((line) => line.startsWith('  keep '))
  const preview = readOwnPreview(await undoPreview(plan, home, places.workspace))
  return [
    ...ownPreviewLines(preview, { columns, paint: createPaint(io.color) }),
    ...left.map((line) => cutText(line, columns)),
  ]
}
