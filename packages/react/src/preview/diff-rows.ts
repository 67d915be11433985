import type { DiffHunk } from '@countersign/core'

/** A line of a diff with its old and new line numbers. */
export interface DiffRow {
  readonly kind: 'same' | 'added' | 'removed'
  readonly old: number | null
  readonly new: number | null
  readonly text: string
  /** The range that differs from the replaced line; null if there is none. */
  readonly changed: { readonly start: number; readonly end: number } | null
}

/** Numbers the lines of a hunk, and marks where replaced lines differ. */
export function diffRows(hunk: DiffHunk): readonly DiffRow[] {
  const rows: DiffRow[] = []
  let oldLine = hunk.oldStart
  let newLine = hunk.newStart
  for (const { kind, text } of hunk.lines) {
    rows.push({
      kind,
      old: kind === 'added' ? null : oldLine,
      new: kind === 'removed' ? null : newLine,
      text,
      changed: null,
    })
    if (kind !== 'added') oldLine += 1
    if (kind !== 'removed') newLine += 1
  }
  return pairUp(rows)
}

/** A line longer than this counts as several rows. */
const LONG_LINE = 1_000

/** The length of a diff in rows. */
export function drawnRows(hunks: readonly (readonly DiffRow[])[]): number {
  return hunks.flat().reduce((sum, { text }) => sum + Math.max(1, Math.ceil(text.length / LONG_LINE)), 0)
}

/** A range of rows, counted across hunks. */
export function stretchOf(
  hunks: readonly (readonly DiffRow[])[],
  from: number,
  to: number,
): readonly (readonly DiffRow[])[] {
  let before = 0
  return hunks.flatMap((rows) => {
    const piece = rows.slice(Math.max(0, from - before), Math.max(0, to - before))
    before += rows.length
    return piece.length === 0 ? [] : [piece]
  })
}

/** Pairs of old and new rows for the side-by-side view. */
export function splitRows(rows: readonly DiffRow[]): readonly (readonly [DiffRow | null, DiffRow | null])[] {
  const pairs: (readonly [DiffRow | null, DiffRow | null])[] = []
  for (let at = 0; at < rows.length; ) {
    const row = rows[at]
    if (row === undefined) break
    if (row.kind === 'same') {
      pairs.push([row, row])
      at += 1
      continue
    }
    const removed = runOf(rows, at, 'removed')
    const added = runOf(rows, at + removed.length, 'added')
    for (let side = 0; side < Math.max(removed.length, added.length); side += 1)
      pairs.push([removed[side] ?? null, added[side] ?? null])
    at += removed.length + added.length
  }
  return pairs
}

function pairUp(rows: readonly DiffRow[]): readonly DiffRow[] {
  const out = [...rows]
  for (let at = 0; at < rows.length; ) {
    const removed = runOf(rows, at, 'removed')
    const added = runOf(rows, at + removed.length, 'added')
    if (removed.length > 0 && removed.length === added.length)
      for (const [side, one] of removed.entries()) {
        const other = added[side]
        if (other === undefined) continue
        const [before, after] = difference(one.text, other.text)
        out[at + side] = { ...one, changed: before }
        out[at + removed.length + side] = { ...other, changed: after }
      }
    at += Math.max(1, removed.length + added.length)
  }
  return out
}

type Stretch = DiffRow['changed']

/** The ranges between the common prefix and suffix of two lines; null if the lines have little in common. */
function difference(before: string, after: string): readonly [Stretch, Stretch] {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1
  let end = 0
  while (end < most - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end += 1
  if (isHalf(before.charCodeAt(start - 1))) start -= 1
  if (isHalf(before.charCodeAt(before.length - end - 1)) && end > 0) end -= 1
  if ((start + end) * 3 < most) return [null, null]
  return [
    { start, end: before.length - end },
    { start, end: after.length - end },
  ]
}

function isHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function runOf(rows: readonly DiffRow[], from: number, kind: DiffRow['kind']): readonly DiffRow[] {
  let end = from
  while (rows[end]?.kind === kind) end += 1
  return rows.slice(from, end)
}
