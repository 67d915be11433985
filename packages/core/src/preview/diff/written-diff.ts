import { parsePatch } from 'diff'
import type { DiffHunk, DiffLine, DiffPreview } from '../model/preview.ts'
import { capHunks } from './hunks.ts'

const LOOKS_LIKE_DIFF = /^(?:diff --git |Index: |--- \S[^\n]*\n\+\+\+ \S|@@ -\d)/

/** INVARIANT: L10, so many files of one diff are drawn. */
const MOST_FILES = 50

/** The files of a unified diff that somebody wrote; undefined for any other text. Not compared with what is there. */
export function writtenDiff(text: string): readonly DiffPreview[] | undefined {
  if (!LOOKS_LIKE_DIFF.test(text)) return undefined
  try {
    const files = parsePatch(text)
    const isDrawn = files.length > 0 && files.length <= MOST_FILES && files.every(({ hunks }) => hunks.length > 0)
    return isDrawn ? files.map(drawn) : undefined
  } catch {
    return undefined // the library throws on wrong counts: it is shown as the text that it is
  }
}

function drawn({ oldFileName, newFileName, hunks }: ReturnType<typeof parsePatch>[number]): DiffPreview {
  const [from, to] = [nameOf(oldFileName), nameOf(newFileName)]
  const path = to ?? from ?? 'the file'
  const all = hunks.map(
    ({ oldStart, newStart, lines }): DiffHunk => ({
      oldStart,
      newStart,
      lines: lines.filter((line) => !line.startsWith('\\')).map(lineOf),
    }),
  )
  const lines = all.flatMap((hunk) => hunk.lines)
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length
  return {
    kind: 'diff',
    path,
    change: oldFileName === '/dev/null' ? 'create' : newFileName === '/dev/null' ? 'delete' : 'overwrite',
    ...(from !== undefined && from !== path ? { from } : {}),
    added: count('added'),
    removed: count('removed'),
    ...capHunks(all, lines.length),
  }
}

function nameOf(name: string | undefined): string | undefined {
  return name === undefined || name === '/dev/null' ? undefined : name.replace(/^[ab]\//, '')
}

function lineOf(line: string): DiffLine {
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
  return { kind, text: line.slice(1) }
}
