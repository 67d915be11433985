import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { CountersignError, type EntryBody, safeText } from '@countersign/core'
import { type Home, openWorkspace, readProject, readTrust, trustProject, untrust } from '@countersign/node'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { withJournal } from '../journal/open-journal.ts'
import { recordEntry } from '../journal/record-entry.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'
import { isTyped } from '../terminal/typed-confirmation.ts'
import { type ProjectView, projectLines, viewProject } from './project-view.ts'

interface TrustFlags {
  readonly list?: true
  readonly untrust?: true
  readonly yes?: string
}

/** `countersign trust`: trusts a project's policy, pinned to its exact content. */
export const command: Subcommand = {
  name: 'trust',
  summary: 'review and trust a project’s policy',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign trust', 'review this project’s policy, then decide'],
      ['countersign trust --list', 'list trusted projects'],
      ['countersign trust --untrust', 'stop trusting this project'],
    ])
    command
      .argument('[folder]', 'project folder (default: current folder)')
      .option('--yes <hash>', 'trust without asking if the policy has exactly this hash')
      .option('--list', 'list trusted projects')
      .option('--untrust', 'stop trusting the project')
      .action((folder: string | undefined, flags: TrustFlags) => {
        const given = [flags.list, flags.untrust, flags.yes].filter((flag) => flag !== undefined)
        if (given.length > 1)
          throw new CountersignError('CS_USAGE', 'use only one of `--yes`, `--list` and `--untrust`')
        if (flags.list) return withJournal(io, async ({ home }) => list(home, io))
        if (flags.untrust) return forget(resolve(io.cwd, folder ?? '.'), io)
        return trust(resolve(io.cwd, folder ?? '.'), flags.yes, io)
      })
  },
}

function trust(folder: string, yes: string | undefined, io: Io): Promise<void> {
  return withJournal(io, async (journal) => {
    const { home } = journal
    const view = viewProject(home, openWorkspace(folder))
    if (view.files.length === 0)
      throw new CountersignError(
        'CS_POLICY_READ',
        `\`${safeText(view.workspace)}\` has no policy in \`.countersign\`; nothing to trust`,
      )
    if (!io.json) for (const line of projectLines(view, dataColumns(io))) print(io, line)
    if (view.problems.length > 0) {
      io.exit(EXIT.failed.code)
      if (io.json) printJson(io, view)
      return say(io, 'an invalid policy is never used, trusted or not; fix it first')
    }
    const agreed = !view.trusted && (yes === undefined ? !io.json && (await isAgreed(view, io)) : isHash(yes, view))
    if (agreed) {
      await recordEntry(journal, entryOf('trusted', view.workspace, view.digest))
      trustProject(home, view.workspace, view.digest)
    }
    if (io.json) return printJson(io, { ...view, trusted: view.trusted || agreed })
    say(
      io,
      view.trusted
        ? 'already trusted'
        : agreed
          ? 'trusted; any change needs to be trusted again'
          : 'not trusted; its rules can only tighten',
    )
  })
}

/** The person types the start of the hash: nobody trusts by pressing Enter. */
function isAgreed({ digest }: ProjectView, io: Io): Promise<boolean> {
  const start = digest.slice(0, 8)
  return isTyped(
    start,
    `To trust exactly this policy, type ${start} (anything else cancels): `,
    io,
    'no terminal to ask on; read the rules above, then pass `--yes <hash>`',
  )
}

/** SECURITY: requires the full hash, so that a script cannot trust content that nobody has reviewed. */
function isHash(yes: string, { digest }: ProjectView): true {
  if (yes === digest) return true
  throw new CountersignError(
    'CS_STALE',
    `the hash of the policy is not \`${safeText(yes)}\`; review the policy, then pass the full hash shown`,
  )
}

function forget(folder: string, io: Io): Promise<void> {
  return withJournal(io, async (journal) => {
    const { home } = journal
    const workspace = existsSync(folder) ? openWorkspace(folder) : folder
    const digest = readTrust(home).get(workspace)
    if (digest !== undefined) {
      await recordEntry(journal, entryOf('untrusted', workspace, digest))
      untrust(home, workspace)
    }
    if (io.json) return printJson(io, { workspace, untrusted: digest !== undefined })
    say(
      io,
      digest === undefined
        ? `\`${safeText(workspace)}\` was not trusted`
        : 'no longer trusted; its rules can only tighten',
    )
  })
}

function entryOf(kind: 'trusted' | 'untrusted', workspace: string, digest: string): EntryBody {
  return { kind, call: null, workspace, digest, by: userInfo().username }
}

function list(home: Home, io: Io): void {
  const projects = [...readTrust(home)].map(([workspace, digest]) => ({
    workspace,
    digest,
    state: stateOf(workspace, digest),
  }))
  if (io.json) {
    printJson(io, projects)
    return
  }
  if (projects.length === 0) {
    say(io, 'no trusted projects')
    return
  }
  const rows = projects.map(({ workspace, digest, state }) => [
    safeText(digest.slice(0, 8)),
    safeText(state),
    safeText(workspace),
  ])
  for (const line of layTable(rows, dataColumns(io))) print(io, line)
}

/** Whether the content is still the trusted one. */
function stateOf(workspace: string, digest: string): 'trusted' | 'changed' | 'gone' {
  if (!existsSync(workspace)) return 'gone'
  try {
    return readProject(workspace).digest === digest ? 'trusted' : 'changed'
  } catch {
    return 'changed'
  }
}
