import { definedCheckerNames, type LoadedFile, loadPolicyFile, type PolicyProblem, type Rule } from '@countersign/core'
import { type Home, isTrusted, readProject } from '@countersign/node'
import { CHECKERS } from '../policy/policy-sources.ts'

/** A project's policy as a person must see it before trusting it. */
export interface ProjectView {
  readonly workspace: string
  /** What is pinned: over every name and content. */
  readonly digest: string
  readonly trusted: boolean
  readonly files: readonly { readonly path: string; readonly lines: number }[]
  /** Rules that only trust lets speak: each may loosen what the preset says. */
  readonly loosens: readonly Rule[]
  /** Rules that hold already, trusted or not. */
  readonly tightens: readonly Rule[]
  /** Programs that trust lets run, as this account. */
  readonly programs: LoadedFile['programs']
  /** With any of these the files are refused, and there is nothing to trust. */
  readonly problems: readonly PolicyProblem[]
}

/** Reads a project's policy once: what is shown is what the digest covers. */
export function viewProject(home: Home, workspace: string): ProjectView {
  const { files, digest } = readProject(workspace)
  const checkers = [...CHECKERS, ...definedCheckerNames(files)]
  const read = files.map(({ path, text }) => loadPolicyFile({ layer: 'project', name: path, text }, { checkers }))
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
    problems: read.flatMap((file) => (file.kind === 'refused' ? file.problems : [])),
  }
}
