import { type DiffHunk, type JsonObject, maskJson } from '@countersign/core'
import { structuredPatch } from 'diff'
import { paragraph, type Rows } from '../text/rows.ts'
import { diffRows } from './files.ts'

/** What an edit of the arguments changes, line by line of their JSON. */
export function editRows(before: JsonObject, after: JsonObject, revealed: boolean, rows: Rows): void {
  const [old, now] = [before, after].map(
    (args) => `${JSON.stringify(revealed ? args : maskJson(args).value, null, 2)}\n`,
  )
  const { hunks } = structuredPatch('', '', old ?? '', now ?? '', '', '', { context: 2 })
  const drawn = hunks.map(
    ({ oldStart, newStart, lines }): DiffHunk => ({
      oldStart,
      newStart,
      lines: lines
        .filter((line) => !line.startsWith('\\'))
        .map((line) => ({ kind: KINDS[line[0] as keyof typeof KINDS] ?? 'same', text: line.slice(1) })),
    }),
  )
  const count = (kind: string): number =>
    drawn.flatMap((hunk) => hunk.lines).filter((line) => line.kind === kind).length
  rows.text(paragraph('edited: a new call, judged again before it runs').text, { styles: ['yellow', 'bold'] })
  diffRows(
    {
      kind: 'diff',
      path: 'the arguments',
      change: drawn.length === 0 ? 'none' : 'overwrite',
      hunks: drawn,
      added: count('added'),
      removed: count('removed'),
      folded: 0,
      notes: [],
    },
    rows,
  )
  rows.gap()
  rows.text(paragraph('what was asked for:').text, { styles: ['dim'] })
}

const KINDS = { '+': 'added', '-': 'removed', ' ': 'same' } as const
