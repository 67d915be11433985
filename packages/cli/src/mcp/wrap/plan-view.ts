import { safeText } from '@countersign/core'
import { type ConfigPlan, loadWrapping } from '@countersign/mcp'
import { createPaint } from '@countersign/terminal/card'
import { type Io, print } from '../../terminal/io.ts'
import { dataColumns, hangText } from '../../terminal/layout.ts'
import { diffLines } from '../tools/tool-table.ts'

const { labelOf } = await loadWrapping()

/** Shows what would become of one file, server by server. */
export function showPlan(
  { client, file, servers, notes: all, restores }: ConfigPlan,
  verb: 'wrap' | 'unwrap',
  io: Io,
): void {
  const columns = dataColumns(io)
  const paint = createPaint(io.color)
  print(io, safeText(`${client.name}  ${file.path}${restores ? ' (restored byte for byte)' : ''}`))
  for (const { name, label, left, isRestored, notes, lines } of servers) {
    const other = label === labelOf(name) ? '' : ` (\`${labelOf(name)}\` names another server)`
    const open = isRestored || restores ? 'as it was' : 'without the gate'
    const words = left === null ? (verb === 'wrap' ? `behind the gate as ${label}${other}` : open) : `left: ${left}`
    for (const line of hangText(safeText(`  ${name}: ${words}`), columns, 4)) print(io, line)
    for (const note of notes) for (const line of hangText(safeText(`    note: ${note}`), columns, 6)) print(io, line)
    for (const line of diffLines(lines, columns - 2, paint)) print(io, `  ${line}`)
  }
  for (const note of all) for (const line of hangText(safeText(`  note: ${note}`), columns, 4)) print(io, line)
}

/** The same as data. */
export function planData({ client, file, servers, notes: all, restores }: ConfigPlan, written: boolean) {
  const list = servers.map(({ name, label, left, notes }) => ({ name, label, left, notes }))
  return { client: client.id, file: file.path, restores, written, notes: all, servers: list }
}
