import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import type { TaskCall, TaskReport } from './report.ts'
import type { TaskRan } from './run-task.ts'

const MAX_ROWS = 500

/**
 * Writes `report.json`, `report.md` and `transcript.json` into a folder, replacing those of an earlier run, and returns
 * their paths. SECURITY: an agent may have placed a link there; nothing is written through links, and only the owner
 * can read the files.
 */
export function writeArtefacts(folder: string, { report, transcript }: TaskRan): readonly string[] {
  const files = [
    ['report.json', `${JSON.stringify(report, null, 2)}\n`],
    ['report.md', reportMarkdown(report)],
    ['transcript.json', transcript],
  ] as const
  try {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw notOurs(folder)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return files.map(([name, text]) => {
      const path = join(folder, name)
      const there = lstatSync(path, { throwIfNoEntry: false })
      if (there !== undefined && !there.isFile()) throw notOurs(path)
      if (there !== undefined) rmSync(path)
      writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
      return path
    })
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new CountersignError(
      'CS_TASK',
      `the artefacts cannot be written to \`${folder}\` (${code}); use another folder`,
      {
        cause: error,
      },
    )
  }
}

function notOurs(path: string): CountersignError {
  return new CountersignError('CS_TASK', `\`${path}\` is not a regular file; remove it, or use another folder`)
}

/** The report as Markdown. */
export function reportMarkdown(report: TaskReport): string {
  const { task, stop, tokens, changes, calls } = report
  const refused = calls.filter(({ outcome }) => outcome !== null && outcome !== 'completed' && outcome !== 'failed')
  const parts = [
    `# ${cell(task.name)}: ${report.outcome}`,
    quoted(task.text),
    [
      `- ended: ${cell(stop.why)}, ${cell(stop.message)}`,
      `- model: ${cell(report.model)}, ${report.turns} turns, ${tokens.input} tokens in and ${tokens.output} out`,
      `- started ${report.startedAt}, ${report.seconds} s, mode ${task.mode}`,
      `- calls: ${calls.length + report.missingCalls}, of which ${refused.length} did not run`,
    ].join('\n'),
    '## Answer',
    report.answer === '' ? 'The agent said nothing.' : quoted(report.answer),
    '## Changed files',
    changes.length === 0
      ? 'None.'
      : table(
          ['file', 'lines'],
          changes.map(({ path, lines }) => [path, String(lines)]),
        ),
    '## Calls that did not run',
    refused.length === 0
      ? 'None.'
      : table(
          ['tool', 'outcome', 'why'],
          refused.map(({ tool, outcome, message }) => [tool, outcome, message]),
        ),
    '## Calls',
    calls.length === 0 ? 'None.' : table(['tool', 'effect', 'risk', 'supervision', 'outcome'], calls.map(row)),
  ]
  return `${parts.join('\n\n')}\n`
}

function row({ tool, effect, risk, supervision, outcome }: TaskCall): readonly (string | null)[] {
  return [tool, effect, risk, supervision, outcome]
}

function table(heads: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  const shown = rows.slice(0, MAX_ROWS).map((cells) => `| ${cells.map((text) => cell(text ?? '–')).join(' | ')} |`)
  const more = rows.length > MAX_ROWS ? [`\n${rows.length - MAX_ROWS} more are in report.json.`] : []
  return [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---').join('|')}|`, ...shown, ...more].join('\n')
}

/** SECURITY: A12 text of agents and files stays within one cell: no markup, no link, no second row. */
function cell(text: string): string {
  return safeText(text.slice(0, 500))
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, (mark) => `\\${mark}`)
    .replace(/\s+/g, ' ')
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${cell(line)}`.trimEnd())
    .join('\n')
}
