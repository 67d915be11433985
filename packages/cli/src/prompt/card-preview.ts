import {
  assertNever,
  type DiffHunk,
  type JsonObject,
  type OpenedView,
  type Preview,
  type PreviewPart,
  safeJson,
  safeLines,
} from '@countersign/core'
import { RISK_GLYPH, RISK_STYLE } from '../color.ts'
import { levelOf } from './risk-word.ts'
import { type Paragraph, paragraph, type Rows } from './rows.ts'

const MANY_PARTS = 20
const LONG = 160

/** Arguments that a diff is drawn from: what they say is in the picture, and word for word in the details. */
const DRAWN: ReadonlySet<string> = new Set(
  (
    'content contents file_text fileText text new_content newContent old_string oldString old_str oldText old_text ' +
    'new_string newString new_str newText new_text edits replacements patch diff'
  ).split(' '),
)

/** The body of a card: the command in full, the change of a file, or the arguments. */
export function previewRows({ view, body }: OpenedView, rows: Rows): void {
  const { preview } = view
  const { args } = body.call
  switch (preview.kind) {
    case 'command':
      rows.block(safeLines(preview.command).map((text) => ({ text, styles: ['bold'] as const })))
      commandParts(preview, rows)
      if (Object.keys(args).length > 1) rows.gap()
      if (Array.isArray(args['command'])) rows.field('how', [paragraph('exactly these words, without a shell')])
      otherArguments(
        args,
        (name, value) => value === preview.command || (name === 'command' && Array.isArray(value)),
        rows,
      )
      return
    case 'diff':
      diff(preview, rows)
      otherArguments(args, (name, value) => value === preview.path || DRAWN.has(name), rows)
      return
    case 'json':
      for (const note of notesOf(preview)) rows.text(paragraph(note).text)
      rows.block(safeJson(preview.value).map((text) => ({ text })))
      return
    case 'failed':
      rows.field('no preview', [paragraph(preview.error, 'red'), paragraph('these are the arguments as they are:')])
      rows.block(safeJson(preview.value).map((text) => ({ text })))
      return
    default:
      assertNever(preview)
  }
}

function commandParts(preview: Extract<Preview, { kind: 'command' }>, rows: Rows): void {
  for (const problem of preview.problems) rows.field('careful', [paragraph(problem, 'red')])
  const [first] = preview.parts
  if (preview.parts.length < 2 && (first === undefined || first.via.length === 0)) return
  // Among many, what does nothing only hides the rest; the whole text stands above either way.
  const listed =
    preview.parts.length > MANY_PARTS ? preview.parts.filter((part) => part.level !== 'none') : preview.parts
  const quiet = preview.parts.length - listed.length
  rows.gap()
  rows.field(preview.parts.length === 1 ? 'runs' : `runs ${preview.parts.length}`, [
    ...listed.map(partRow),
    ...(quiet === 0 ? [] : [paragraph(`and ${quiet} without risk, above`, 'dim')]),
  ])
}

function partRow(part: PreviewPart): Paragraph {
  const level = levelOf(part.level)
  const via = part.via.length === 0 ? '' : `  (through ${part.via.join(', ')})`
  const writes = part.writes.length === 0 ? '' : `  (changes ${part.writes.join(', ')})`
  const styles = level === 'critical' ? (['red'] as const) : RISK_STYLE[level]
  return paragraph(`${`${RISK_GLYPH[level]} ${level}`.padEnd(12)} ${part.text}${via}${writes}`, ...styles)
}

const CHANGE = { create: 'new file', overwrite: 'changes', none: 'no change to', delete: 'deletes' } as const

function diff(preview: Extract<Preview, { kind: 'diff' }>, rows: Rows): void {
  rows.text(paragraph(`${CHANGE[preview.change]} ${preview.path}  +${preview.added} −${preview.removed}`).text)
  for (const note of preview.notes) rows.text(paragraph(note).text, { styles: ['yellow'] })
  for (const [at, hunk] of preview.hunks.entries()) {
    if (at > 0) rows.text(paragraph('⋯').text, { styles: ['dim'] })
    rows.block(hunkLines(hunk))
  }
}

/** Each line behind its number in the file: the new one where it has one. */
function hunkLines(hunk: DiffHunk): readonly Paragraph[] {
  let oldLine = hunk.oldStart
  let newLine = hunk.newStart
  const width = String(Math.max(oldLine, newLine) + hunk.lines.length).length
  return hunk.lines.map(({ kind, text }): Paragraph => {
    const number = String(kind === 'removed' ? oldLine : newLine).padStart(width)
    if (kind !== 'added') oldLine += 1
    if (kind !== 'removed') newLine += 1
    if (kind === 'added') return paragraph(`${number} + ${text}`, 'green')
    if (kind === 'removed') return paragraph(`${number} - ${text}`, 'red')
    return paragraph(`${number}   ${text}`, 'dim')
  })
}

/** Every argument that the picture above is not made of. INVARIANT: L5, a long one is named with its length, never left out. */
function otherArguments(args: JsonObject, isShown: (name: string, value: unknown) => boolean, rows: Rows): void {
  const others = Object.entries(args).filter(([name, value]) => !isShown(name, value))
  if (others.length === 0) return
  rows.field(
    'with',
    others.map(([name, value]) => {
      const text = JSON.stringify(value)
      if (text.length <= LONG) return paragraph(`${name}: ${text}`)
      return paragraph(`${name}: ${text.length} characters, word for word in the details`, 'dim')
    }),
  )
}

function notesOf(preview: Preview): readonly string[] {
  return 'notes' in preview ? ((preview.notes as readonly string[] | undefined) ?? []) : []
}
