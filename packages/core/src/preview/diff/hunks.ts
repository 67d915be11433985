import { structuredPatch } from 'diff'
import type { DiffHunk, DiffLine } from '../model/preview.ts'
import { countedWords } from '../targets/target-lookup.ts'

const CONTEXT = 3
/** Past this many changed lines the best diff costs too much; a plain one is shown instead. */
const MAX_EDITS = 2000
const MAX_LINES = 2000
/** Of a cut diff: what is kept from its end, where a payload would hide. */
const TAIL_LINES = 500
const MAX_LINE = 4000
const LINE_END = 1000

export interface TextDiff {
  readonly hunks: readonly DiffHunk[]
  readonly added: number
  readonly removed: number
  /** Lines left out or cut. */
  readonly folded: number
  readonly notes: readonly string[]
}

/** The difference of two texts as a person reads it, bounded; what is left out is counted in the notes, never silent. */
export function diffTexts(before: string, after: string): TextDiff {
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  })
  const hunks = patch === undefined ? [plainHunk(before, after)] : patch.hunks.map(toHunk)
  const all = hunks.flatMap((hunk) => hunk.lines)
  // Of a text that is new or goes away every line changes: nothing is left to compare.
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

/** The library's `\ No newline at end of file` lines are told in the notes instead. */
function toHunk({ oldStart, newStart, lines }: LibraryHunk): DiffHunk {
  return { oldStart, newStart, lines: lines.filter((line) => !line.startsWith('\\')).map(toLine) }
}

function toLine(line: string): DiffLine {
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
  return { kind, text: line.slice(1) }
}

/** All lines between the common beginning and the common end, removed and added. */
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

/** The lines of a text; the newline at its very end begins no further line. */
export function textLines(text: string): readonly string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

function capHunks(hunks: readonly DiffHunk[], total: number): Pick<TextDiff, 'hunks' | 'folded' | 'notes'> {
  const notes: string[] = []
  const cut = total > MAX_LINES
  const left = cut ? total - MAX_LINES : 0
  if (cut)
    notes.push(`${countedWords(left, 'more line')} in the middle are not shown here; the full arguments hold them`)
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
      `${countedWords(longLines, 'line')} of more than ${MAX_LINE} characters cut here; the full arguments hold all of it`,
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

/** SECURITY: A14 the end of a cut line is kept too: that is where a payload would hide. */
function cutLine(text: string): string {
  const start = sound(text, MAX_LINE - LINE_END)
  const end = sound(text, text.length - LINE_END)
  return `${text.slice(0, start)}… (${end - start} more characters) …${text.slice(end)}`
}

/** A place to cut at that does not part the two halves of a character. */
function sound(text: string, at: number): number {
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at
}
