import { type OwnKnowledge, type OwnRows, toolKey } from '../../knowledge/own-knowledge.ts'
import { findHostTool } from '../../knowledge/tools.ts'
import { ownRowsOf } from '../../risk/programs/own-programs.ts'
import { rowOf } from '../../risk/programs/rate-program.ts'

/** A row for a name, and what it does. */
export interface ShownRow {
  readonly kind: 'program' | 'tool'
  readonly layer: 'builtin' | 'managed' | 'user' | 'project'
  /** `rates`: the level is this row's. `raises`: it counts if higher. `critical`: only its critical levels count. */
  readonly use: 'rates' | 'raises' | 'critical'
  /** `file:line` */
  readonly source: string
  readonly row: object
}

/** Every row for a program or a tool, the ones that count most first. */
export function rowsFor(name: string, knowledge: OwnKnowledge | undefined): readonly ShownRow[] {
  const { server, name: bare } = toolOf(name)
  const program = name.toLowerCase()
  const builtin = rowOf(program)
  const host = server === null ? findHostTool(name) : undefined
  const taught = knowledge?.tools.get(toolKey(server, bare))
  const tool = host === undefined ? taught : asRaising(taught)
  return [
    ...shown('program', ownRowsOf(program, knowledge), builtin),
    ...shown('tool', tool, host === undefined ? undefined : { ...host, file: 'knowledge/tools/host-tools.yaml' }),
  ]
}

type Placed = { readonly file: string; readonly line: number; readonly rule?: string }

function shown<Row extends Placed>(
  kind: ShownRow['kind'],
  own: OwnRows<Row> | undefined,
  builtin: Placed | undefined,
): readonly ShownRow[] {
  const { replacing = [], raising = [] } = own ?? {}
  const show = (row: Placed, layer: ShownRow['layer'], use: ShownRow['use']): ShownRow => {
    // Own rows share one rule, which says nothing about them.
    const { file, line, rule, ...rest } = row
    return {
      kind,
      layer,
      use,
      source: `${file}:${line}`,
      row: layer === 'builtin' && rule !== undefined ? { rule, ...rest } : rest,
    }
  }
  return [
    ...replacing.map(({ row, layer }) => show(row, layer, 'rates')),
    ...(builtin === undefined ? [] : [show(builtin, 'builtin', replacing.length === 0 ? 'rates' : 'critical')]),
    ...raising.map(({ row, layer }) => show(row, layer, 'raises')),
  ]
}

function asRaising<Row>(rows: OwnRows<Row> | undefined): OwnRows<Row> | undefined {
  return rows === undefined ? undefined : { replacing: [], raising: [...rows.replacing, ...rows.raising] }
}

/** `server/name`, or a bare name. */
export function toolOf(name: string): { readonly server: string | null; readonly name: string } {
  const slash = name.indexOf('/')
  return slash === -1 ? { server: null, name } : { server: name.slice(0, slash), name: name.slice(slash + 1) }
}
