import { relative } from 'node:path'
import {
  canonicalJson,
  definedCheckerNames,
  formatProblem,
  type Json,
  type LoadedFile,
  loadPolicyFile,
  type PolicyFile,
  type PolicyProblem,
  type ReadKnowledge,
  type Rule,
  readKnowledge,
  safeText,
} from '@countersign/core'
import { type Home, isTrusted, readProject } from '@countersign/node'
import { CHECKERS } from '../policy/policy-sources.ts'
import { hangText } from '../terminal/layout.ts'

/** A project's policy, as shown before it is trusted. */
export interface ProjectView {
  readonly workspace: string
  /** Hash over all names and contents; trust is pinned to it. */
  readonly digest: string
  readonly trusted: boolean
  readonly files: readonly { readonly path: string; readonly lines: number }[]
  /** Rules that apply only if trusted: each can loosen the preset. */
  readonly loosens: readonly Rule[]
  /** Rules that always apply. */
  readonly tightens: readonly Rule[]
  /** Checker programs that run only if trusted. */
  readonly programs: LoadedFile['programs']
  /** Rows of its knowledge. Untrusted they can only raise; trusted they replace the built-in ones. */
  readonly rows: ReadKnowledge['rows']
  /** Errors in the files; if there are any, the policy cannot be trusted. */
  readonly problems: readonly PolicyProblem[]
}

/** Reads a project's policy once, so that the digest covers exactly what is shown. */
export function viewProject(home: Home, workspace: string): ProjectView {
  const { files, digest } = readProject(workspace)
  const checkers = [...CHECKERS, ...definedCheckerNames(files)]
  const policies = files.filter(({ form }) => form === undefined)
  const taught = files.flatMap(({ path, text, form }) => (form === undefined ? [] : [asKnowledge(path, text, form)]))
  const { rows, problems } = readKnowledge(taught)
  const read = policies.map(({ path, text }) => loadPolicyFile({ layer: 'project', name: path, text }, { checkers }))
  const rules = read.flatMap((file) => (file.kind === 'loaded' ? file.rules : []))
  const isTight = (rule: Rule): boolean => rule.floor || rule.supervision === 'deny'
  return {
    workspace,
    digest,
    trusted: files.length > 0 && isTrusted(home, workspace, digest),
    files: files.map(({ path, text }) => ({ path, lines: text.split('\n').length })),
    loosens: rules.filter((rule) => !isTight(rule)),
    tightens: rules.filter(isTight),
    programs: read.flatMap((file) => (file.kind === 'loaded' ? file.programs : [])),
    rows,
    problems: [...read.flatMap((file) => (file.kind === 'refused' ? file.problems : [])), ...problems],
  }
}

/** A project's policy as text: files, hash, and every rule that could loosen, with all its conditions. */
export function projectLines(view: ProjectView, columns: number): readonly string[] {
  const { workspace, digest, trusted, files, loosens, tightens, programs, rows, problems } = view
  const lines = [`project  ${safeText(workspace)}`]
  for (const { path, lines: count } of files)
    lines.push(`file     ${safeText(relative(workspace, path))} (${count} lines)`)
  lines.push(`hash     ${digest}${trusted ? ' (trusted)' : ''}`)
  if (problems.length > 0) return [...lines, ...problems.map((problem) => safeText(formatProblem(problem)))]
  lines.push(
    '',
    loosens.length === 0
      ? 'None of its rules can loosen your policy.'
      : `If trusted, ${plural(loosens.length)} can loosen your preset:`,
  )
  for (const rule of loosens) lines.push(...ruleLines(rule, workspace, columns))
  if (programs.length > 0) lines.push('', 'If trusted, these checker programs run as you:')
  for (const { name, run, file, line } of programs)
    lines.push(...hangText(safeText(`  ${name}: ${run.join(' ')} (${relative(workspace, file)}:${line})`), columns, 4))
  if (rows.length > 0) lines.push('', 'If trusted, these rows decide the risk of programs and tools:')
  for (const { names, levels, source } of rows)
    lines.push(
      ...hangText(safeText(`  ${names.join(', ')}: ${levels.join(', ')} (${relative(workspace, source)})`), columns, 4),
    )
  if (tightens.length > 0)
    lines.push(
      '',
      `${plural(tightens.length)} can only tighten, and already ${tightens.length === 1 ? 'applies' : 'apply'}.`,
    )
  return lines
}

function asKnowledge(name: string, text: string, form: 'knowledge'): PolicyFile {
  return { layer: 'project', form, name, text, trusted: true }
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
