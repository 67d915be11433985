import { userInfo } from 'node:os'
import { isAbsolute, relative, resolve } from 'node:path'
import {
  CHANGE_WORDS,
  type Changes,
  CountersignError,
  countWords,
  type SafeText,
  safeText,
  type UnseenChange,
  type UnseenFilePreview,
} from '@countersign/core'
import { backupOfChange, openGate, openWorkspace } from '@countersign/node'
import { createPaint } from '@countersign/terminal/card'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { withDesk } from '../decision/desk.ts'
import { existingHome } from '../home/existing-home.ts'
import { nested } from '../nested-command.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'
import { undoBackups } from '../undo/undo.ts'

interface Flags {
  readonly workspace?: string
  readonly all?: true
  readonly force?: boolean
  readonly input?: boolean
}

/** `countersign changes`: changes of files that nobody has seen. */
export const command: Subcommand = {
  name: 'changes',
  summary: 'list, review and undo changes nobody has seen',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign changes list', 'files that agents changed and nobody has seen'],
      ['countersign changes diff src/a.ts', 'what changed in one of them'],
      ['countersign changes seen src/a.ts', 'mark it as seen'],
      ['countersign changes seen --all', 'mark everything as seen'],
      ['countersign changes undo src/a.ts', 'restore the version you last saw'],
    ])
    const listing = withWorkspace(nested(command, 'list', 'list files with unseen changes'))
    addExamples(listing, [['countersign changes list', 'in this folder']])
    listing.action((flags: Flags) => inWorkspace(flags, io, (changes, workspace) => list(changes, workspace, io)))
    const diffing = withWorkspace(nested(command, 'diff', 'show what changed in a file since you last saw it'))
    addExamples(diffing, [['countersign changes diff src/a.ts', 'as a diff']])
    diffing
      .argument('<file>', 'file with an unseen change')
      .action((file: string, flags: Flags) =>
        inWorkspace(flags, io, async (changes, workspace) => showDiff(await diffOf(changes, workspace, file, io), io)),
      )
    const seeing = withWorkspace(nested(command, 'seen', 'mark changes as seen'))
    addExamples(seeing, [
      ['countersign changes seen src/a.ts', 'one file'],
      ['countersign changes seen --all', 'everything'],
    ])
    seeing
      .argument('[files...]', 'files to mark')
      .option('--all', 'mark all files as seen')
      .action((files: readonly string[], flags: Flags) =>
        inWorkspace(flags, io, (changes, workspace) => see(changes, workspace, files, flags, io)),
      )
    const undoing = withWorkspace(nested(command, 'undo', 'restore a file to the version you last saw'))
    addExamples(undoing, [['countersign changes undo src/a.ts', 'restore one file']])
    undoing
      .argument('<file>', 'file with an unseen change')
      .option('--force', 'also overwrite later changes')
      .option('--no-input', 'fail at once if approval is needed')
      .action((file: string, flags: Flags) => undo(file, flags, io))
  },
}

function withWorkspace(command: Command): Command {
  return command.option('--workspace <dir>', 'folder the agent works in (default: current folder)')
}

function inWorkspace(flags: Flags, io: Io, use: (changes: Changes, workspace: string) => Promise<void>): Promise<void> {
  const workspace = openWorkspace(resolve(io.cwd, flags.workspace ?? '.'))
  return withDesk(io, (desk) => use(desk.changes(), workspace))
}

async function list(changes: Changes, workspace: string, io: Io): Promise<void> {
  const found = await changes.list(workspace)
  if (io.json) return printJson(io, { workspace, ...found })
  if (found.everything !== null)
    say(io, safeText(`all files count as unseen: ${found.everything}; check them, then run \`changes seen --all\``))
  if (found.files.length === 0 && found.everything === null) say(io, 'no unseen changes')
  const rows = found.files.map((file) => [safeText(WORDS[file.kind]), safeText(file.path), agentOf(file)])
  if (rows.length > 0)
    for (const line of layTable([['change', 'file', 'by'].map(safeText), ...rows], dataColumns(io))) print(io, line)
}

const WORDS = { written: 'changed', deleted: 'deleted', moved: 'moved' } as const

function agentOf({ agent, path, mark }: UnseenChange): SafeText {
  return safeText(path.endsWith('/') ? countWords(Number(mark), 'file') : agent)
}

async function diffOf(changes: Changes, workspace: string, file: string, io: Io): Promise<UnseenFilePreview> {
  const path = pathIn(workspace, file, io)
  const diff = await changes.diff(workspace, path)
  if (diff === undefined) throw noChange(path)
  return diff
}

function showDiff(diff: UnseenFilePreview, io: Io): void {
  if (io.json) {
    printJson(io, diff)
    return
  }
  const paint = createPaint(io.color)
  print(io, paint(safeText(`${CHANGE_WORDS[diff.change]} ${diff.path}  +${diff.added} −${diff.removed}`), 'bold'))
  for (const note of diff.notes) print(io, paint(safeText(note), 'yellow'))
  for (const { oldStart, newStart, lines } of diff.hunks) {
    print(io, paint(safeText(`@@ −${oldStart} +${newStart} @@`), 'dim'))
    for (const { kind, text } of lines)
      if (kind === 'same') print(io, safeText(`  ${text}`))
      else print(io, paint(safeText(`${kind === 'added' ? '+' : '-'} ${text}`), kind === 'added' ? 'green' : 'red'))
  }
}

async function see(changes: Changes, workspace: string, files: readonly string[], flags: Flags, io: Io): Promise<void> {
  if ((files.length === 0) === (flags.all === undefined))
    throw new CountersignError('CS_USAGE', 'name files, or use `--all`; list them with `countersign changes list`')
  const by = userInfo().username
  const paths = files.map((file) => pathIn(workspace, file, io))
  const found = await changes.list(workspace)
  const contents = paths.map((path) => {
    const file = found.files.find((one) => one.path === path)
    if (file === undefined) throw noChange(path)
    return file
  })
  const count = flags.all === true ? await changes.allSeen(workspace, by) : await changes.seen(workspace, contents, by)
  if (io.json) printJson(io, { workspace, seen: count })
  else say(io, `marked ${countWords(count, 'file')} as seen`)
}

async function undo(file: string, flags: Flags, io: Io): Promise<void> {
  const home = existingHome(io).dir
  const given = io.home === undefined ? {} : { home }
  const opened = await openGate({ session: 'none', tier: 'T1', workspace: flags.workspace ?? io.cwd, ...given })
  try {
    const { workspace } = opened.places
    const path = pathIn(workspace, file, io)
    const changed = (await opened.desk.changes().list(workspace)).files.find((one) => one.path === path)
    if (changed === undefined) throw noChange(path)
    const ref = await backupOfChange(changed, workspace, opened.home, opened.ports.store)
    await undoBackups([ref], opened, flags, io)
  } finally {
    await opened.gate.close()
  }
}

/** A file as the store names it: relative to the workspace. */
function pathIn(workspace: string, file: string, io: Io): string {
  const path = relative(workspace, resolve(io.cwd, file))
  const isFolder = file.endsWith('/') && path !== ''
  if (!isAbsolute(path) && !path.startsWith('..')) return isFolder ? `${path}/` : path
  throw new CountersignError('CS_USAGE', `\`${safeText(file)}\` is not in the workspace \`${safeText(workspace)}\``)
}

function noChange(path: string): CountersignError {
  return new CountersignError(
    'CS_USAGE',
    `\`${safeText(path)}\` has no unseen change; list them with \`countersign changes list\``,
  )
}
