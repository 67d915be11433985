import { CountersignError, countWords, safeText, sizeWords } from '@countersign/core'
import {
  applyUndo,
  type BackupRef,
  listBackups,
  type OpenedGate,
  openGate,
  planUndo,
  refuseChanged,
  refuseEdited,
  spareBackup,
  type UndoPlan,
  undoCall,
} from '@countersign/node'
import { timeText } from '@countersign/terminal/card'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { callName, type NamedCall, shortId } from '../arguments/ids.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { reportResult } from '../exec/outcome.ts'
import { askThenRun } from '../exec/run-gated.ts'
import { existingHome } from '../home/existing-home.ts'
import { withJournal } from '../journal/open-journal.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'
import { findBackup, planLines, undoableCalls } from './undo-call.ts'

interface UndoFlags {
  readonly list?: boolean
  readonly dryRun?: boolean
  readonly force?: boolean
  readonly input?: boolean
  readonly workspace?: string
}

/** `countersign undo`: undoes the file changes of a call. */
export const command: Subcommand = {
  name: 'undo',
  summary: 'undo the file changes of a call',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign undo --list', 'calls you can undo'],
      ['countersign undo 3f2a91c0', 'restore the files a call changed'],
      ['countersign undo --dry-run 3f2a91c0', 'show what would change'],
    ])
    command
      .argument('[call]', 'short id or id of the call, or the start of it')
      .option('--list', 'list calls that can be undone')
      .option('--dry-run', 'show what would change, without changing it')
      .option('--force', 'also overwrite later changes')
      .option('--no-input', 'fail at once if approval is needed')
      .option('--workspace <dir>', 'folder the agent works in (default: current folder)')
      .action((call: string | undefined, flags: UndoFlags) => (flags.list === true ? list(io) : undo(call, flags, io)))
  },
}

async function list(io: Io): Promise<void> {
  const kept = listBackups(existingHome(io))
  if (io.json) {
    printJson(io, kept)
    return
  }
  if (kept.length === 0) {
    say(io, 'nothing to undo: no backups')
    return
  }
  const names = new Map(
    await withJournal(io, async ({ home, store }) =>
      (await undoableCalls(home, store)).map((call) => [call.id, callName(call)] as const),
    ),
  )
  const heading = ['made', 'call', 'files', 'size', 'of'].map(safeText)
  const rows = kept.map(({ madeAt, call, files, bytes, targets }) => [
    timeText(madeAt),
    names.get(call) ?? shortId(call),
    safeText(String(files)),
    safeText(sizeWords(bytes)),
    safeText(`${targets[0] ?? ''}${targets.length > 1 ? ` and ${targets.length - 1} more` : ''}`),
  ])
  for (const line of layTable([heading, ...rows], dataColumns(io))) print(io, line)
}

async function undo(typed: string | undefined, flags: UndoFlags, io: Io): Promise<void> {
  if (typed === undefined)
    throw new CountersignError('CS_USAGE', 'no call given; list them with `countersign undo --list`')
  const home = existingHome(io).dir
  const given = io.home === undefined ? {} : { home }
  const opened = await openGate({ session: 'none', tier: 'T1', workspace: flags.workspace ?? io.cwd, ...given })
  try {
    await undoBackup(await findBackup(typed, opened), opened, flags, io)
  } finally {
    await opened.gate.close()
  }
}

/** Shows what restoring a backup would do, and does it through the gate. */
export async function undoBackup(ref: BackupRef, opened: OpenedGate, flags: UndoFlags, io: Io): Promise<void> {
  const plan = await planUndo(opened.home, ref)
  if (io.json && flags.dryRun === true) {
    printJson(io, plan)
    return
  }
  if (!io.json) for (const line of planLines(plan, await namedCall(plan.call, opened))) say(io, line)
  if (plan.steps.length === 0) nothingToDo(plan, io)
  if (plan.steps.length === 0 || flags.dryRun === true) return
  refuseChanged(plan, flags.force === true)
  spareBackup(opened.home, ref.name)
  await ask(plan, ref, opened, flags, io)
}

function nothingToDo(plan: UndoPlan, io: Io): void {
  if (io.json) printJson(io, { undone: plan.call, outcome: 'nothing to do', steps: [] })
  else say(io, '  nothing to do: the files are unchanged')
}

/** Runs the undo as an ordinary call through the gate. */
async function ask(plan: UndoPlan, ref: BackupRef, opened: OpenedGate, flags: UndoFlags, io: Io): Promise<void> {
  const { workspace } = opened.places
  const { call, args } = undoCall(plan, ref, { crypto: opened.ports.crypto, workspace })
  const asking = { input: flags.input !== false, quiet: false }
  const { result, told } = await askThenRun(call, opened, asking, io, async (frozen) => {
    refuseEdited(frozen, args)
    await applyUndo(opened.home, ref, plan)
  })
  if (io.json) printJson(io, { call: result.callId, undone: plan.call, outcome: outcomeOf(result), steps: plan.steps })
  reportResult(result, { ...io, json: false, exit: io.exit }, told)
  if (result.kind !== 'completed' || io.json) return
  const again = callName(await namedCall(result.callId, opened))
  say(
    io,
    `countersign: undone: ${countWords(plan.steps.length, 'change')}; to reverse this, run \`countersign undo ${again}\``,
  )
}

async function namedCall(id: string, { ports }: OpenedGate): Promise<NamedCall> {
  return { id, requestDigest: (await ports.store.call(id))?.requestDigest ?? null }
}

function outcomeOf(result: Awaited<ReturnType<typeof askThenRun>>['result']): string {
  return result.kind === 'refusal' ? result.outcome : result.kind
}
