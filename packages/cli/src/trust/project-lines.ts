import { relative } from 'node:path'
import { canonicalJson, formatProblem, type Json, type Rule, safeText } from '@countersign/core'
import { hangText } from '../terminal/layout.ts'
import type { ProjectView } from './project-view.ts'

/** A project's policy for reading: files, hash, and every rule that trust would let loosen, with all its conditions. */
export function projectLines(view: ProjectView, columns: number): readonly string[] {
  const { workspace, digest, trusted, files, loosens, tightens, programs, problems } = view
  const lines = [`project  ${safeText(workspace)}`]
  for (const { path, lines: count } of files)
    lines.push(`file     ${safeText(relative(workspace, path))} (${count} lines)`)
  lines.push(`hash     ${digest}${trusted ? ' (trusted)' : ''}`)
  if (problems.length > 0) return [...lines, ...problems.map((problem) => safeText(formatProblem(problem)))]
  lines.push(
    '',
    loosens.length === 0
      ? 'No rule of it can loosen anything.'
      : `Once trusted, ${plural(loosens.length)} may loosen what your preset says:`,
  )
  for (const rule of loosens) lines.push(...ruleLines(rule, workspace, columns))
  if (programs.length > 0) lines.push('', 'Once trusted, these programs run as you, to check calls:')
  for (const { name, run, file, line } of programs)
    lines.push(...hangText(safeText(`  ${name}: ${run.join(' ')} (${relative(workspace, file)}:${line})`), columns, 4))
  if (tightens.length > 0)
    lines.push(
      '',
      `${plural(tightens.length)} only ${tightens.length === 1 ? 'tightens and holds' : 'tighten and hold'} already.`,
    )
  return lines
}

function ruleLines(rule: Rule, workspace: string, columns: number): readonly string[] {
  const upTo = rule.supervision === 'automatic' || rule.supervision === 'notify' ? `, up to risk ${rule.upTo}` : ''
  const conditions = [`when ${jsonOf(rule.when)}`, ...(rule.unless === null ? [] : [`unless ${jsonOf(rule.unless)}`])]
  return [
    ...hangText(
      safeText(`  ${rule.supervision}${upTo}: ${rule.id} (${relative(workspace, rule.file)}:${rule.line})`),
      columns,
      4,
    ),
    ...conditions.flatMap((text) => hangText(safeText(`    ${text}`), columns, 6)),
  ]
}

function jsonOf(value: Rule['when']): string {
  return canonicalJson(value as Json)
}

function plural(count: number): string {
  return `${count} ${count === 1 ? 'rule' : 'rules'}`
}
