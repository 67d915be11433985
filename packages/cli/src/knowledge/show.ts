import { formatProblem, type Json, readKnowledge, rowsFor, type ShownRow, safeText } from '@countersign/core'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { existingHome } from '../home/existing-home.ts'
import { filesInForce } from '../policy/policy-sources.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, hangText } from '../terminal/layout.ts'

export function defineShow(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign knowledge show git', 'a program'],
    ['countersign knowledge show postgres/query', 'a tool of an MCP server'],
  ])
  command.argument('<name>', 'a program, a tool, or server/tool').action((name: string) => show(name, io))
}

async function show(name: string, io: Io): Promise<void> {
  const { knowledge, problems } = readKnowledge(await filesInForce(existingHome(io), io))
  const rows = rowsFor(name, knowledge)
  for (const problem of problems) say(io, `knowledge error: ${safeText(formatProblem(problem))}`)
  if (rows.length === 0) io.exit(EXIT.failed.code)
  if (io.json) return printJson(io, rows)
  if (rows.length === 0) return say(io, `no row for \`${safeText(name)}\`; its calls are rated as unknown`)
  for (const [at, row] of rows.entries()) for (const line of rowLines(row, at, io)) print(io, line)
}

const OWNER: Readonly<Record<ShownRow['layer'], string>> = {
  builtin: 'built-in row',
  managed: 'row of your organization',
  user: 'your row',
  project: 'row of this project',
}

const USE: Readonly<Record<ShownRow['use'], string>> = {
  rates: '',
  raises: ', can only raise',
  critical: ', only its critical levels apply',
}

function rowLines({ kind, layer, use, source, row }: ShownRow, at: number, io: Io): readonly string[] {
  const head = `${OWNER[layer]} for the ${kind}${USE[use]}: ${source}`
  const lines = Object.entries(row as Readonly<Record<string, Json>>).flatMap(([key, value]) => keyLines(key, value))
  const columns = dataColumns(io)
  return [
    ...(at === 0 ? [] : ['']),
    ...hangText(safeText(head), columns, 2),
    ...lines.flatMap((line) => hangText(safeText(`  ${line}`), columns, 4 + line.search(/\S/))),
  ]
}

function keyLines(key: string, value: Json): readonly string[] {
  if (Array.isArray(value) && value.some((one) => typeof one === 'object'))
    return [`${key}:`, ...value.map((one) => `  - ${inline(one as Json)}`)]
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return [`${key}:`, ...Object.entries(value).map(([name, inner]) => `  ${name}: ${inline(inner as Json)}`)]
  return [`${key}: ${inline(value)}`]
}

/** A value in one line of YAML. The lines of answers are left out: the file tells them. */
function inline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((one) => inline(one as Json)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const pairs = Object.entries(value).filter(([name]) => name !== 'line')
  return `{ ${pairs.map(([name, inner]) => `${name}: ${inline(inner as Json)}`).join(', ')} }`
}
