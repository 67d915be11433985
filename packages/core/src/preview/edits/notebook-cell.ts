import type { Json, JsonObject } from '../../call/json/json.ts'
import { textOf } from './content-arguments.ts'

/** The change of one notebook cell. */
export interface CellChange {
  readonly before: string
  readonly after: string
  readonly notes: readonly string[]
}

/** Arguments that hold the text of a cell. */
export const SOURCES = ['new_source', 'newSource', 'source', 'new_code', 'newCode']
const IDS = ['cell_id', 'cellId']
const NUMBERS = ['cell_number', 'cellNumber', 'cell_index', 'cellIndex', 'cell_idx']

/** Whether the arguments edit a cell. */
export function isCellEdit(args: JsonObject): boolean {
  return [...IDS, ...NUMBERS].some((name) => args[name] !== undefined) || args['notebook_path'] !== undefined
}

/** The change of a cell, the reason why it would fail, or undefined when it cannot be computed. */
export function changeCell(args: JsonObject, notebook: string): CellChange | { readonly fails: string } | undefined {
  const cells = cellsOf(notebook)
  const mode = args['edit_mode'] ?? args['editMode'] ?? 'replace'
  const source = textOf(args, SOURCES)
  if (cells === undefined || (source === undefined && mode !== 'delete')) return undefined
  const at = indexOf(args, cells)
  if (at === 'unknown') return undefined
  if (mode === 'insert') {
    const where = at === null ? 'at the beginning' : `after cell ${at + 1} of ${cells.length}`
    return { before: '', after: source ?? '', notes: [`inserts a cell ${where}${lines}`] }
  }
  const cell = at === null ? undefined : cells[at]
  if (at === null || cell === undefined) return { fails: 'the edit would fail: the notebook has no such cell' }
  const name = `cell ${at + 1} of ${cells.length}`
  if (mode === 'delete') return { before: cell.source, after: '', notes: [`deletes ${name}${lines}`] }
  return mode === 'replace'
    ? { before: cell.source, after: source ?? '', notes: [`replaces ${name}${lines}`] }
    : undefined
}

const lines = '; line numbers are within the cell'

interface Cell {
  readonly id: string | null
  readonly source: string
}

function cellsOf(notebook: string): readonly Cell[] | undefined {
  let parsed: Json
  try {
    parsed = JSON.parse(notebook) as Json
  } catch {
    return undefined
  }
  const cells = typeof parsed === 'object' && parsed !== null ? (parsed as JsonObject)['cells'] : undefined
  return Array.isArray(cells) ? cells.map(toCell) : undefined
}

function toCell(cell: Json): Cell {
  const fields = (typeof cell === 'object' && cell !== null ? cell : {}) as JsonObject
  const { id, source } = fields
  const text = Array.isArray(source) ? source.map(String).join('') : typeof source === 'string' ? source : ''
  return { id: typeof id === 'string' ? id : null, source: text }
}

/** The index of the cell; null when none is named. An id may also be `cell-3`, by position. */
function indexOf(args: JsonObject, cells: readonly Cell[]): number | null | 'unknown' {
  const number = NUMBERS.map((name) => args[name]).find((value) => value !== undefined)
  // Whether the first cell is 0 or 1 differs from tool to tool.
  if (number !== undefined) return 'unknown'
  const id = textOf(args, IDS)
  if (id === undefined) return args['edit_mode'] === 'insert' ? null : 'unknown'
  const found = cells.findIndex((cell) => cell.id === id)
  if (found !== -1) return found
  const place = /^cell-(\d{1,6})$/.exec(id)
  return place === null ? cells.length : Number(place[1])
}
