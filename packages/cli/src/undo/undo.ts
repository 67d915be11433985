import { resolve } from 'node:path'
import { CountersignError, countWords, safeText, sizeWords } from '@countersign/core'
import {
  type BackupRef,
  backupsSince,
  listBackups,
  type OpenedGate,
  openGate,
  planUndo,
  prepareUndo,
  type UndoPlan,
} from '@countersign/node'
import { timeText } from '@countersign/terminal/card'
import type { Command } from 'commander'
import { parseSince } from '../arguments/flag-values.ts'
import { addExamples } from '../arguments/help-examples.ts'
import { callName, type NamedCall } from '../arguments/ids.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { reportResult } from '../exec/outcome.ts'
import { askThenRun } from '../exec/run-gated.ts'
import { existingHome } from '../home/existing-home.ts'
import { withJournal } from '../journal/open-journal.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'
import { canPick, pickCalls, previewOf } from './pick-calls.ts'
import { findBackups, planLines, targetWords, undoableCalls } from './undo-call.ts'

interface UndoFlags {
  readonly list?: boolean
  readonly since?: string
  readonly only?: readonly string[]
  readonly dryRun?: boolean
  readonly force?: boolean
  readonly input?: boolean
  readonly workspace?: string
}

/** `countersign undo`: undoes the file changes of calls. */
export const command: Subcommand = {
  name: 'undo',
  summary: 'undo the file changes of calls',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign undo', 'pick from a list; Enter takes the last call'],
      ['countersign undo 3f2a91c0', 'restore the files a call changed'],
      ['countersign undo 3f2a91c0 81be7740', 'undo several calls together'],
      ['countersign undo --since 2h', 'undo everything of the last two hours'],
      ['countersign undo --dry-run 3f2a91c0', 'show what would come back, as a diff'],
    ])
    command
      .argument('[calls...]', 'short ids or ids of calls, or the start of them')
      .option('--list', 'list calls that can be undone')
      .option(
        '--since <time>',
        'undo all calls since a time that changed files of the workspace: 90m, 2h, 7d, 2026-01-31',
      )
      .option('--only <files...>', 'restore only these files')
      .option('--dry-run', 'show what would come back, without changing it')
      .option('--force', 'also overwrite later changes')
      .option('--no-input', 'fail at once if approval is needed')
      .option('--workspace <dir>', 'folder the agent works in (default: current folder)')
      .action((calls: readonly string[], flags: UndoFlags) => (flags.list === true ? list(io) : undo(calls, flags, io)))
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
  const calls = await withJournal(io, ({ home, store }) => undoableCalls(home, store))
  const heading = ['made', 'call', 'files', 'size', 'of'].map(safeText)
  const rows = calls.map((one) => [
    timeText(one.backup.madeAt),
    callName(one),
    safeText(String(one.backup.files)),
    safeText(sizeWords(one.backup.bytes)),
    safeText(targetWords(one.backup)),
  ])
  for (const line of layTable([heading, ...rows], dataColumns(io))) print(io, line)
}

async function undo(typed: readonly string[], flags: UndoFlags, io: Io): Promise<void> {
  const home = existingHome(io).dir
  const given = io.home === undefined ? {} : { home }
  const opened = await openGate({ session: 'none', tier: 'T1', workspace: flags.workspace ?? io.cwd, ...given })
  try {
    const refs = await chosenBackups(typed, flags, opened, io)
    if (refs.length > 0) await undoBackups(refs, opened, flags, io)
  } finally {
    await opened.gate.close()
  }
}

/** The backups of the named calls, of all since a time, or of those that a person picks from the list. */
async function chosenBackups(
  typed: readonly string[],
  flags: UndoFlags,
  opened: OpenedGate,
  io: Io,
): Promise<readonly BackupRef[]> {
  if (flags.since !== undefined) {
    if (typed.length > 0) throw new CountersignError('CS_USAGE', 'name calls, or use `--since`, not both')
    const { workspace } = opened.places
    const since = parseSince(flags.since, opened.ports.clock.now())
    const found = await backupsSince(since, workspace, opened.home, opened.ports.store)
    if (found.elsewhere > 0)
      say(io, safeText(`${countWords(found.elsewhere, 'call')} changed files outside \`${workspace}\`: not included`))
    if (found.refs.length === 0) say(io, 'nothing to undo: no call changed files of this folder since then')
    return found.refs
  }
  if (typed.length > 0) return findBackups(typed, opened)
  if (!canPick(io) || flags.input === false)
    throw new CountersignError('CS_USAGE', 'no call given; list them with `countersign undo --list`')
  const picked = await pickCalls(await undoableCalls(opened.home, opened.ports.store), opened, io)
  return picked.length === 0 ? [] : findBackups(picked, opened)
}

/** Shows what restoring backups would do, and does it through the gate. */
export async function undoBackups(
  given: readonly BackupRef[],
  opened: OpenedGate,
  flags: UndoFlags,
  io: Io,
): Promise<void> {
  const only = (flags.only ?? []).map((file) => resolve(io.cwd, file))
  const refs = only.length === 0 ? given : given.map((ref) => ({ ...ref, only }))
  const plan = await planUndo(opened.home, refs)
  if (io.json && flags.dryRun === true) {
    printJson(io, plan)
    return
  }
  if (!io.json) for (const line of planLines(plan, await namedCalls(plan.calls, opened))) say(io, line)
  if (plan.steps.length === 0) nothingToDo(plan, io)
  if (plan.steps.length === 0) return
  if (flags.dryRun === true) for (const line of await previewOf(plan, opened, io.columns, io)) print(io, line)
  else await ask(plan, refs, opened, flags, io)
}

function nothingToDo(plan: UndoPlan, io: Io): void {
  if (io.json) printJson(io, { undone: plan.calls, outcome: 'nothing to do', steps: [] })
  else say(io, '  nothing to do: the files are unchanged')
}

/** Runs the undo as an ordinary call through the gate. */
async function ask(
  plan: UndoPlan,
  refs: readonly BackupRef[],
  opened: OpenedGate,
  flags: UndoFlags,
  io: Io,
): Promise<void> {
  const { workspace } = opened.places
  const parts = { home: opened.home, crypto: opened.ports.crypto, workspace, isForced: flags.force === true }
  const { call, run } = prepareUndo(plan, refs, parts)
  const asking = { input: flags.input !== false, quiet: false }
  const { result, told } = await askThenRun(call, opened, asking, io, run)
  if (io.json) printJson(io, { call: result.callId, undone: plan.calls, outcome: outcomeOf(result), steps: plan.steps })
  reportResult(result, { ...io, json: false, exit: io.exit }, told)
  if (result.kind !== 'completed' || io.json) return
  const [again] = await namedCalls([result.callId], opened)
  const name = again === undefined ? '' : callName(again)
  say(
    io,
    `countersign: undone: ${countWords(plan.steps.length, 'change')}; to reverse this, run \`countersign undo ${name}\``,
  )
}

function namedCalls(ids: readonly string[], { ports }: OpenedGate): Promise<readonly NamedCall[]> {
  return Promise.all(
    ids.slice(0, 1).map(async (id) => ({ id, requestDigest: (await ports.store.call(id))?.requestDigest ?? null })),
  )
}

function outcomeOf(result: Awaited<ReturnType<typeof askThenRun>>['result']): string {
  return result.kind === 'refusal' ? result.outcome : result.kind
}
