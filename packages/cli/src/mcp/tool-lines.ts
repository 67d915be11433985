import { type Json, type SafeText, safeText } from '@countersign/core'
import { type DefinitionLine, diffDefinitions, type LabelView, type ServerView, type ToolView } from '@countersign/mcp'
import type { Paint } from '@countersign/terminal/card'
import { hangText, layTable } from '../layout.ts'

/** What is known under one label, as a table of tools for each server. */
export function labelLines({ label, broken, servers }: LabelView, columns: number): readonly string[] {
  if (broken !== null)
    return [safeText(label), ...hangText(safeText(`  every tool is in quarantine: ${broken}`), columns, 4)]
  return servers.flatMap((server) => [
    ...hangText(safeText(`${label}  ${server.identity.shown}`), columns, 4),
    ...layTable(
      server.tools.map((tool) => [safeText(`  ${tool.name}`), safeText(stateOf(tool)), oddWords(tool)]),
      columns,
    ),
  ])
}

/** One word for where a tool stands. */
export function stateOf({ accepted, waiting }: ToolView): string {
  if (waiting !== null) return `waits: ${waiting.why}`
  if (accepted === null || accepted.word.kind === 'none') return 'in quarantine: its acceptance is not signed'
  return accepted.word.kind === 'first' ? 'pinned at first contact' : `accepted by ${accepted.word.name}`
}

/** The odd characters of a definition: how many, of which kind, and where. */
export function oddWords({ odd }: ToolView): SafeText {
  const words = odd.slice(0, 5).map(({ where, what, count }) => `${count} ${what} in ${where}`)
  const more = odd.length > 5 ? `, and ${odd.length - 5} more` : ''
  return safeText(words.length === 0 ? '' : `! ${words.join(', ')}${more}`)
}

/** Everything a person accepts: the server, then each tool with what changes in it. */
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
    const odd = oddWords(tool)
    if (odd !== '') lines.push(...hangText(odd, columns, 2).map((line) => paint(line, 'red')))
    lines.push(...diffLines(diffDefinitions(beforeOf(tool), now), columns, paint))
  }
  return lines
}

/** Of a tool that only waits for a first look, all of it is new to the person. */
function beforeOf({ accepted, waiting }: ToolView): Json | null {
  return waiting === null ? null : (accepted?.definition ?? null)
}

/** Lines of a difference, made safe to show. */
export function diffLines(lines: readonly DefinitionLine[], columns: number, paint: Paint): readonly string[] {
  return lines.flatMap(({ kind, text }) => {
    const sign = kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '
    const rows = hangText(safeText(`  ${sign} ${text}`), columns, 4)
    return kind === 'same' ? rows : rows.map((row) => paint(row, kind === 'added' ? 'green' : 'red'))
  })
}
