import { diffTexts, maskText, safeText } from '@countersign/core'
import type { AgentPlan, PlannedFile } from '@countersign/hosts'
import { loadSettings } from '@countersign/hosts'
import type { DefinitionLine } from '@countersign/mcp'
import { createPaint } from '@countersign/terminal/card'
import { diffLines } from '../mcp/tools/tool-table.ts'
import { type Io, print } from '../terminal/io.ts'
import { dataColumns, hangText } from '../terminal/layout.ts'

const { isChange, withoutTokens } = await loadSettings()

/** Shows one agent: its program, the planned changes, and notes. */
export function showAgent({ found, files, notes, problem, changesSetup }: AgentPlan, io: Io): void {
  const { agent, version, program } = found
  const where = program ?? (found.inProject ? 'in this project' : 'settings only')
  const changing = files.filter(isChange)
  const state =
    problem !== null
      ? 'not behind the gate'
      : changing.length > 0
        ? 'will be behind the gate'
        : changesSetup
          ? 'behind the gate; its folders or prompts will change'
          : 'behind the gate'
  const line = [agent.title, ...(version === null ? [] : [version]), `(${where}): ${state}`].join(' ')
  const columns = dataColumns(io)
  const paint = createPaint(io.color)
  for (const row of hangText(safeText(line), columns, 4)) print(io, paint(row, 'bold'))
  if (problem !== null)
    for (const row of hangText(safeText(`  ✗ ${problem.why}`), columns, 4)) print(io, paint(row, 'red'))
  for (const note of notes) for (const row of hangText(safeText(`  note: ${note}`), columns, 4)) print(io, row)
  for (const file of changing) showChange(file.path, file.file?.text ?? null, file.after, io)
}

/** The change of one file as a diff; null stands for no file. */
export function showChange(path: string, before: string | null, after: string | null, io: Io): void {
  const columns = dataColumns(io)
  const what = before === null ? ' (new)' : after === null ? ' (removed)' : ''
  for (const row of hangText(safeText(`  ${path}${what}`), columns, 4)) print(io, row)
  const lines = shownDiff(before ?? '', after ?? '')
  for (const row of diffLines(lines, columns - 2, createPaint(io.color))) print(io, `  ${row}`)
}

/** SECURITY: A32 settings hold keys of other programs, and ours hold a token: neither is shown. */
function shownDiff(before: string, after: string): readonly DefinitionLine[] {
  const shown = (text: string) => maskText(withoutTokens(text), 'any').value.replaceAll('\r\n', '\n')
  return diffTexts(shown(before), shown(after)).hunks.flatMap(({ lines }) => lines)
}

/** One agent for `--json`, without its tokens. */
interface AgentReport {
  readonly agent: string
  readonly version: string | null
  readonly program: string | null
  readonly evidence: string
  readonly problem: string | null
  readonly notes: readonly string[]
  readonly within: readonly string[]
  readonly ask: 'desk' | 'host'
  readonly written: boolean
  readonly files: readonly { readonly path: string; readonly change: 'create' | 'edit' | 'none' }[]
}

export function agentData({ found, files, notes, problem, setup }: AgentPlan, written: boolean): AgentReport {
  const { agent, version, program } = found
  return {
    agent: agent.name,
    version,
    program,
    evidence: agent.evidence,
    problem: problem?.why ?? null,
    notes,
    within: setup.within,
    ask: setup.asking,
    written,
    files: files.map((file) => ({ path: file.path, change: changeOf(file) })),
  }
}

function changeOf(file: PlannedFile): 'create' | 'edit' | 'none' {
  return !isChange(file) ? 'none' : file.file === null ? 'create' : 'edit'
}
