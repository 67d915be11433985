import type { FrozenCall } from '../../call/call.ts'
import { isArray } from '../../call/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../call/json/json.ts'
import { diffTexts } from '../diff/hunks.ts'
import { writtenDiff } from '../diff/written-diff.ts'
import type { OwnPart } from '../model/own-preview.ts'
import type { DiffPreview, Preview } from '../model/preview.ts'
import { countedWords } from '../targets/target-lookup.ts'
import { imageOf } from './image-bytes.ts'

/** INVARIANT: L10, of one preview. */
const MOST_PARTS = 50
const MOST_ROWS = 200
const MOST_COLUMNS = 12
const LONGEST_CELL = 400
const LONGEST_ALT = 200

type OwnPreview = Extract<Preview, { kind: 'own' }>

/** A tool's own preview as text, diffs, tables, fields, images or JSON, whatever the tool gave. */
export function ownPreview({ source }: Pick<FrozenCall, 'source'>, given: Json): OwnPreview {
  const all = partsOf(given)
  const parts = all.slice(0, MOST_PARTS)
  const more = all.length - parts.length
  return {
    kind: 'own',
    parts,
    notes: [
      ...(source === 'builtin' ? [] : ['preview made by the tool, not verified']),
      ...(more > 0 ? [`${countedWords(more, 'more part')} not shown`] : []),
    ],
  }
}

/**
 * Reads a preview as `preview` of a registered tool returns it.
 *
 * @example
 * readOwnPreview({ text: 'hi' }).parts // [{ kind: 'text', text: 'hi' }]
 */
export function readOwnPreview(given: Json): OwnPreview {
  return ownPreview({ source: 'builtin' }, given)
}

/** A list is several parts if each of them names its kind; otherwise it is data. */
function partsOf(given: Json): readonly OwnPart[] {
  if (!isArray(given)) return partOf(given) ?? [{ kind: 'json', value: given }]
  const parts = given.map((one) => (isJsonObject(one) || typeof one === 'string' ? partOf(one) : undefined))
  const isTagged = given.some((one) => isJsonObject(one)) && parts.every((one) => one !== undefined)
  return isTagged ? parts.flatMap((one) => one ?? []) : [{ kind: 'json', value: given }]
}

/** What `text`, `diff`, `table`, `fields`, `image` and `json` hold; undefined for anything else, which is shown as data. */
function partOf(given: Json): readonly OwnPart[] | undefined {
  if (typeof given === 'string') return writtenDiff(given) ?? [{ kind: 'text', text: given }]
  if (!isJsonObject(given)) return undefined
  if (typeof given['type'] === 'string') return contentPart(given)
  const { alt, ...kinds } = given
  const [kind, ...others] = Object.keys(kinds)
  const value = kind === undefined ? undefined : kinds[kind]
  if (value === undefined || others.length > 0 || (alt !== undefined && kind !== 'image')) return undefined
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? [{ kind, text: value }] : undefined
    case 'diff':
      return typeof value === 'string' ? writtenDiff(value) : comparedTexts(value)
    case 'table':
      return tableOf(value)
    case 'fields':
      return isJsonObject(value) ? [{ kind, fields: fieldsOf(value) }] : undefined
    case 'image':
      return imagePart(value, alt)
    case 'json':
      return [{ kind, value }]
    default:
      return undefined
  }
}

/** A content block as MCP servers give it. */
function contentPart({ type, text, data, ...more }: JsonObject): readonly OwnPart[] | undefined {
  if (type === 'text' && typeof text === 'string') return partOf(text)
  return type === 'image' && data !== undefined && Object.keys(more).every((name) => name === 'mimeType')
    ? imagePart(data, undefined)
    : undefined
}

function imagePart(value: Json, alt: Json | undefined): readonly OwnPart[] | undefined {
  if (typeof value !== 'string') return undefined
  const image = imageOf(value, typeof alt === 'string' ? alt.slice(0, LONGEST_ALT).toWellFormed() : '')
  return [image ?? { kind: 'text', text: NOT_DRAWN }]
}

const NOT_DRAWN =
  '(an image that can’t be shown: only PNG, JPEG, GIF and WebP as Base64, up to 384 KB and 16 megapixels)'

/** Two texts of one file; null for one that is not there. */
function comparedTexts(value: Json): readonly OwnPart[] | undefined {
  if (!isJsonObject(value)) return undefined
  const { path, before = null, after = null, change, note, ...others } = value
  const isText = (one: Json): one is string | null => one === null || typeof one === 'string'
  if (typeof path !== 'string' || !isText(before) || !isText(after) || Object.keys(others).length > 0) return undefined
  const diff = diffTexts(before ?? '', after ?? '')
  const notes = [...(typeof note === 'string' ? [note] : []), ...diff.notes]
  return [
    { kind: 'diff', path, change: CHANGES.find((one) => one === change) ?? changeOf(before, after), ...diff, notes },
  ]
}

const CHANGES = ['create', 'overwrite', 'delete'] as const

function changeOf(before: string | null, after: string | null): DiffPreview['change'] {
  if (before === after) return 'none'
  return before === null ? 'create' : after === null ? 'delete' : 'overwrite'
}

/** `{ columns, rows }`, or a list of objects with their names as columns. */
function tableOf(value: Json): readonly OwnPart[] | undefined {
  const given = isArray(value) ? { rows: value } : isJsonObject(value) ? value : {}
  const { columns, rows, ...others } = given as { readonly [name: string]: Json | undefined }
  if (rows === undefined || !isArray(rows) || Object.keys(others).length > 0) return undefined
  const objects = rows.filter(isJsonObject)
  const lists = rows.filter(isArray)
  const names = columns === undefined ? [...new Set(objects.flatMap((row) => Object.keys(row)))] : columns
  if (!isArray(names) || (objects.length !== rows.length && lists.length !== rows.length)) return undefined
  const cells = objects.length > 0 ? objects.map((row) => names.map((name) => valueAt(row, name))) : lists
  const widest = cells.reduce((most, row) => Math.max(most, row.length), names.length)
  return [
    {
      kind: 'table',
      columns: names.slice(0, MOST_COLUMNS).map(cellOf),
      rows: cells.slice(0, MOST_ROWS).map((row) => row.slice(0, MOST_COLUMNS).map(cellOf)),
      moreRows: Math.max(0, cells.length - MOST_ROWS),
      moreColumns: Math.max(0, widest - MOST_COLUMNS),
    },
  ]
}

/** A row may miss a column of another row. */
function valueAt(row: JsonObject, name: Json): Json {
  const value = row[String(name)]
  return value === undefined ? '' : value
}

function cellOf(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= LONGEST_CELL) return text
  return `${text.slice(0, LONGEST_CELL).toWellFormed()}… (${countedWords(text.length - LONGEST_CELL, 'more character')})`
}

function fieldsOf(value: JsonObject): readonly { readonly name: string; readonly value: Json }[] {
  return Object.entries(value).map(([name, one]) => ({ name, value: one }))
}
