import {
  assertNever,
  isDrawnByUndo,
  type Json,
  type JsonObject,
  jsonText,
  type OpenedView,
  type Preview,
  type PreviewPart,
  RISK_GLYPH,
  safeLines,
  toRiskLevel,
  undoFacts,
} from '@countersign/core'
import { RISK_STYLE } from '../text/color.ts'
import { jsonLines, valueLines } from '../text/json-lines.ts'
import { type Fold, type Paragraph, paragraph, type Rows } from '../text/rows.ts'

import type { DiffLook } from './diff.ts'
import { deleteRows, diffRows, filesRows, isNamed, moveRows, noteRows, targetRows, unseenRows } from './files.ts'
import { ownRows } from './own.ts'

const MANY_PARTS = 20

/** How much of a long text the card shows; the details show all of it. */
const WHOLE_FOLD: Fold = { head: 600, tail: 200 }

/** The body of a card: command, file changes, or arguments. */
export function previewRows(opened: OpenedView, rows: Rows, look: DiffLook = {}): void {
  const { view, body } = opened
  const { preview } = view
  const { args } = body.call
  switch (preview.kind) {
    case 'command':
      rows.block(safeLines(preview.command).map((text) => ({ text, styles: ['bold'] as const })))
      commandParts(preview, body.call.cwd, rows)
      if (Array.isArray(args['command'])) {
        rows.gap()
        rows.field('runs', [paragraph('directly, without a shell')])
      }
      otherArguments(
        args,
        (name, value) =>
          value === preview.command || value === preview.folder || (name === 'command' && Array.isArray(value)),
        rows,
      )
      if (preview.unseen !== undefined) unseenRows(preview.unseen, rows, look)
      return
    case 'diff':
      diffRows(preview, rows, look)
      otherArguments(args, (name) => preview.drawn?.includes(name) === true, rows)
      return
    case 'files':
      filesRows(preview, rows, look)
      otherArguments(args, (name) => preview.drawn?.includes(name) === true, rows)
      return
    case 'delete':
      deleteRows(preview, rows)
      otherArguments(args, (name, value) => isNamed(name, value, preview), rows)
      return
    case 'move':
      moveRows(preview, rows)
      otherArguments(args, (name, value) => isNamed(name, value, preview), rows)
      return
    case 'query':
      queryRows(preview, rows)
      otherArguments(preview.args, (_, value) => value === preview.store, rows)
      return
    case 'http':
      httpRows(preview, rows)
      otherArguments(preview.args, () => false, rows)
      return
    case 'arguments':
      argumentRows(preview, rows)
      return
    case 'own':
      ownRows(preview, rows, look)
      for (const [, label, ids] of undoFacts(opened)) rows.field(label, [paragraph(ids, 'dim')])
      otherArguments(args, (name, value) => isDrawnByUndo(opened, name, value as Json), rows)
      return
    case 'json':
      noteRows(preview.notes ?? [], rows)
      rows.block(jsonLines(preview.value), WHOLE_FOLD)
      return
    case 'failed':
      rows.field('no preview', [paragraph(preview.error, 'red'), paragraph('raw arguments:')])
      rows.block(jsonLines(preview.value), WHOLE_FOLD)
      return
    default:
      assertNever(preview)
  }
}

function commandParts(preview: Extract<Preview, { kind: 'command' }>, cwd: string, rows: Rows): void {
  const { targets, problems, folder } = preview
  if (targets.length + problems.length > 0 || folder !== cwd) rows.gap()
  if (folder !== cwd) rows.field('in folder', [paragraph(folder)])
  if (problems.length > 0)
    rows.field(
      'warning',
      problems.map((problem) => paragraph(problem, 'red')),
    )
  if (targets.length > 0) rows.field('touches', targetRows(targets, absoluteFolder(folder, cwd)))
  const [first] = preview.parts
  if (preview.parts.length < 2 && (first === undefined || first.via.length === 0)) return
  // In a long list, parts without risk would hide the others; the full command is shown above.
  const listed =
    preview.parts.length > MANY_PARTS ? preview.parts.filter((part) => part.level !== 'none') : preview.parts
  const quiet = preview.parts.length - listed.length
  rows.gap()
  rows.field(preview.parts.length === 1 ? 'runs' : `runs ${preview.parts.length}`, [
    ...listed.map((part, at) => partRow(part, listed[at - 1]?.folder ?? null)),
    ...(quiet === 0 ? [] : [paragraph(`and ${quiet} more without risk, shown above`, 'dim')]),
  ])
}

function absoluteFolder(folder: string, cwd: string): string {
  return folder.startsWith('/') ? folder : cwd
}

/** One part of a command; its folder is shown only where it changes. */
function partRow(part: PreviewPart, before: string | null): Paragraph {
  const level = toRiskLevel(part.level)
  const via = part.via.length === 0 ? '' : `  (through ${part.via.join(', ')})`
  const writes = part.writes.length === 0 ? '' : `  (changes ${part.writes.join(', ')})`
  const folder = part.folder === before ? '' : `  (in ${part.folder ?? 'the first folder'})`
  const styles = level === 'critical' ? (['red'] as const) : RISK_STYLE[level]
  return paragraph(`${`${RISK_GLYPH[level]} ${level}`.padEnd(12)} ${part.text}${via}${writes}${folder}`, ...styles)
}

/** A longer argument gets its own block, folded if it is very long. */
const LONG = 160
const FOLD: Fold = { head: 12, tail: 6 }

/** Arguments that the preview does not show. INVARIANT: L5 a long one is folded with its length, never left out. */
function otherArguments(args: JsonObject, isShown: (name: string, value: unknown) => boolean, rows: Rows): void {
  const others = Object.entries(args).filter(([name, value]) => !isShown(name, value))
  if (others.length === 0) return
  const isShort = ([, value]: (typeof others)[number]): boolean =>
    JSON.stringify(value).length <= LONG && !isJsonText(value)
  const short = others.filter(isShort)
  if (!rows.isAfterField) rows.gap()
  if (short.length > 0)
    rows.field(
      'with',
      short.map(([name, value]) => paragraph(`${name}: ${JSON.stringify(value)}`)),
    )
  for (const [name, value] of others.filter((one) => !isShort(one))) {
    rows.field('with', [paragraph(isJsonText(value) ? `${name}, JSON text:` : `${name}:`)])
    rows.block(valueLines(value), FOLD)
  }
}

/** A request's body is often JSON in a text: escaped on one line, nobody can read it. */
function isJsonText(value: Json | undefined): boolean {
  return typeof value === 'string' && jsonText(value) !== undefined
}

/** Maximum length of a value on the line of its name. */
const SHORT = 60
const VALUE_FOLD: Fold = { head: 40, tail: 20 }

/** A query and its database. */
function queryRows(preview: Extract<Preview, { kind: 'query' }>, rows: Rows): void {
  const { store, target } = preview
  rows.block(safeLines(preview.sql).map((text) => ({ text, styles: ['bold'] as const })))
  rows.gap()
  rows.field('runs on', [paragraph(target === null || target === store ? store : `${store}, on ${target}`)])
}

/** A web request: method, URL, and the host on its own line. */
function httpRows(preview: Extract<Preview, { kind: 'http' }>, rows: Rows): void {
  rows.block([paragraph(`${preview.method ?? 'sends to'} ${preview.url}`, 'bold')])
  rows.gap()
  rows.field('host', [paragraph(preview.host)])
  noteRows(preview.notes, rows)
}

/** Each argument with its type. */
function argumentRows(preview: Extract<Preview, { kind: 'arguments' }>, rows: Rows): void {
  noteRows(preview.notes, rows)
  for (const { name, type, value } of preview.fields) {
    const text = JSON.stringify(value)
    if (text.length <= SHORT && !isJsonText(value)) {
      rows.text(paragraph(`${name} (${type}): ${text}`).text)
      continue
    }
    rows.text(paragraph(`${name} (${isJsonText(value) ? 'JSON text' : type}):`).text)
    rows.block(valueLines(value), VALUE_FOLD)
  }
}
