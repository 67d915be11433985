import { structuredPatch } from 'diff'
import type { DiffHunk, DiffLine } from '../model/preview.ts'
import { countedWords } from '../targets/target-lookup.ts'

const CONTEXT = 3
/** Past this many changed lines the best diff costs too much; a simple one is shown instead. */
const MAX_EDITS = 2000
const MAX_LINES = 2000
/** Lines kept from the end of a shortened diff, where a payload would hide. */
const TAIL_LINES = 500
const MAX_LINE = 4000
const LINE_END = 1000

export interface TextDiff {
  readonly hunks: readonly DiffHunk[]
  readonly added: number
  readonly removed: number
  /** Lines left out or shortened. */
  readonly folded: number
  readonly notes: readonly string[]
}

/** A bounded line diff of two texts. The notes count everything that is left out. */
export function diffTexts(before: string, after: string): TextDiff {
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  })
  const hunks = patch === undefined ? [plainHunk(before, after)] : patch.hunks.map(toHunk)
  const all = hunks.flatMap((hunk) => hunk.lines)
  // In a new or deleted text every line changes: there is nothing to compare.
  const notes =
    patch === undefined && before !== '' && after !== ''
      ? [
          'the texts differ too much for a line by line comparison: everything between the first and last change is shown as replaced',
        ]
      : []
  const capped = capHunks(hunks, all.length)
  return {
    hunks: capped.hunks,
    added: all.filter((line) => line.kind === 'added').length,
    removed: all.filter((line) => line.kind === 'removed').length,
    folded: capped.folded,
    notes: [...notes, ...capped.notes],
  }
}

interface LibraryHunk {
  readonly oldStart: number
  readonly newStart: number
  readonly lines: readonly string[]
}

/** Without the library's `\ No newline at end of file` lines, which the notes replace. */
function toHunk({ oldStart, newStart, lines }: LibraryHunk): DiffHunk {
  return { oldStart, newStart, lines: lines.filter((line) => !line.startsWith('\\')).map(toLine) }
}

function toLine(line: string): DiffLine {
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
  return { kind, text: line.slice(1) }
}

/** All lines between the common start and the common end, removed and added. */
function plainHunk(before: string, after: string): DiffHunk {
  const old = textLines(before)
  const now = textLines(after)
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++
  return {
    oldStart: start + 1,
    newStart: start + 1,
    lines: [
      ...old.slice(start, old.length - end).map((text): DiffLine => ({ kind: 'removed', text })),
      ...now.slice(start, now.length - end).map((text): DiffLine => ({ kind: 'added', text })),
    ],
  }
}

/** The lines of a text. A newline at its end does not start another line. */
export function textLines(text: string): readonly string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** Shortens what is too long to draw; the notes count what is left out. */
export function capHunks(hunks: readonly DiffHunk[], total: number): Pick<TextDiff, 'hunks' | 'folded' | 'notes'> {
  const notes: string[] = []
  const cut = total > MAX_LINES
  const left = cut ? total - MAX_LINES : 0
  if (cut) notes.push(`${countedWords(left, 'more line')} in the middle are not shown; see the full arguments`)
  const kept = cut ? keepEnds(hunks, total) : hunks
  let longLines = 0
  const shown = kept.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.map((line) => {
      if (line.text.length <= MAX_LINE) return line
      longLines++
      return { kind: line.kind, text: cutLine(line.text) }
    }),
  }))
  if (longLines > 0)
    notes.push(
      `${countedWords(longLines, 'line')} longer than ${MAX_LINE} characters shortened; see the full arguments`,
    )
  return { hunks: shown, folded: left + longLines, notes }
}

function keepEnds(hunks: readonly DiffHunk[], total: number): readonly DiffHunk[] {
  const kept: DiffHunk[] = []
  let index = 0
  for (const hunk of hunks) {
    let { oldStart, newStart } = hunk
    let lines: DiffLine[] = []
    let from = { oldStart, newStart }
    const close = (): void => {
      if (lines.length > 0) kept.push({ ...from, lines })
      lines = []
    }
    for (const line of hunk.lines) {
      if (index < MAX_LINES - TAIL_LINES || index >= total - TAIL_LINES) {
        if (lines.length === 0) from = { oldStart, newStart }
        lines.push(line)
      } else close()
      if (line.kind !== 'added') oldStart++
      if (line.kind !== 'removed') newStart++
      index++
    }
    close()
  }
  return kept
}

/** SECURITY: A14, the end of a shortened line is kept too, where a payload would hide. */
function cutLine(text: string): string {
  const start = cutPosition(text, MAX_LINE - LINE_END)
  const end = cutPosition(text, text.length - LINE_END)
  return `${text.slice(0, start)}… (${end - start} more characters) …${text.slice(end)}`
}

/** A cut position that does not split a surrogate pair. */
function cutPosition(text: string, at: number): number {
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at
}
