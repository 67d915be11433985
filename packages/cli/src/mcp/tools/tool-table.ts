import { displayWidth, type Json, safeText } from '@countersign/core'
import { type DefinitionLine, diffDefinitions, type LabelView, type ServerView, type ToolView } from '@countersign/mcp'
import type { Paint } from '@countersign/terminal/card'
import { hangText, layRow } from '../../terminal/layout.ts'

/** The servers of one label, each as a table of its tools. */
export function labelLines({ label, broken, servers }: LabelView, columns: number): readonly string[] {
  if (broken !== null)
    return [safeText(label), ...hangText(safeText(`  every tool is in quarantine: ${broken}`), columns, 4)]
  return servers.flatMap(({ identity, tools }) => {
    const width = Math.max(0, ...tools.map(({ name }) => displayWidth(safeText(`  ${name}`))))
    return [
      ...hangText(safeText(`${label}  ${identity.shown}`), columns, 4),
      ...tools.flatMap((tool) => [...toolRow(tool, width, columns), ...oddLines(tool, columns)]),
    ]
  })
}

/** One row per tool, or several when it is too long: a reason is never cut. */
function toolRow(tool: ToolView, width: number, columns: number): readonly string[] {
  const [name, state] = [safeText(`  ${tool.name}`), safeText(stateOf(tool))]
  for (const first of [width, displayWidth(name)])
    if (first + 2 + displayWidth(state) <= columns) return [layRow([name, state], [first], columns)]
  return [...hangText(name, columns, 4), ...hangText(safeText(`    ${stateOf(tool)}`), columns, 6)]
}

/** SECURITY: A20 hidden characters are listed under the tool, and the list is never cut. */
function oddLines(tool: ToolView, columns: number): readonly string[] {
  return tool.odd.length === 0 ? [] : hangText(safeText(`    ${oddText(tool)}`), columns, 6)
}

/** The state of a tool, for a person. */
export function stateOf({ accepted, waiting }: ToolView): string {
  if (waiting !== null) return `in quarantine: ${waiting.why}`
  if (accepted === null || accepted.origin.kind === 'none') return 'in quarantine: its acceptance is not signed'
  return accepted.origin.kind === 'first' ? 'pinned at first contact' : `accepted by ${accepted.origin.name}`
}

/** Suspicious characters of a definition: how many, of which kind, where. Untrusted text. */
function oddText({ odd }: ToolView): string {
  const words = odd.slice(0, 5).map(({ where, what, count }) => `${count} ${what} in ${where}`)
  return `! ${words.join(', ')}${odd.length > 5 ? `, and ${odd.length - 5} more` : ''}`
}

/** What a person accepts: the server, then each tool with its changes. */
export function acceptLines(
  { identity, firstAt }: ServerView,
  tools: readonly ToolView[],
  columns: number,
  paint: Paint,
): readonly string[] {
  const about = firstAt === null ? ' (not the server that was accepted under this name)' : ''
  const lines = [...hangText(safeText(`server  ${identity.shown}${about}`), columns, 8)]
  for (const tool of tools) {
    const { name, accepted, waiting } = tool
    const now = waiting?.definition ?? accepted?.definition ?? null
    lines.push('', ...hangText(safeText(`${name}: ${waiting?.why ?? 'pinned at first contact'}`), columns, 2))
    if (tool.odd.length > 0)
      lines.push(...hangText(safeText(oddText(tool)), columns, 2).map((line) => paint(line, 'red')))
    lines.push(...diffLines(diffDefinitions(beforeOf(tool), now), columns, paint))
  }
  return lines
}

/** SECURITY: A20 a definition that no person accepted was never seen, so the whole tool is shown as new. */
function beforeOf({ accepted, waiting }: ToolView): Json | null {
  return waiting !== null && accepted?.origin.kind === 'person' ? accepted.definition : null
}

/** The lines of a diff, safe to show. */
export function diffLines(lines: readonly DefinitionLine[], columns: number, paint: Paint): readonly string[] {
  return lines.flatMap(({ kind, text }) => {
    const sign = kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '
    const rows = hangText(safeText(`  ${sign} ${text}`), columns, 4)
    return kind === 'same' ? rows : rows.map((row) => paint(row, kind === 'added' ? 'green' : 'red'))
  })
}
