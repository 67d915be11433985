import { type CallQuery, OUTCOMES, type Outcome, type PastCall, safeText } from '@countersign/core'
import { timeText } from '@countersign/terminal/card'
import { type Command, Option } from 'commander'
import { parseSince, wholeNumber } from '../arguments/flag-values.ts'
import { addExamples } from '../arguments/help-examples.ts'
import { callName } from '../arguments/ids.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { withDesk } from '../decision/desk.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'
import { findPast, tellStory } from './story.ts'

interface HistoryFlags {
  readonly tool?: string
  readonly outcome?: Outcome
  readonly since?: string
  readonly limit: string
}

/** `countersign history`: lists past calls. */
export const command: Subcommand = {
  name: 'history',
  summary: 'list past calls, or show the whole story of one',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign history --since 1d', 'calls of the last day'],
      ['countersign history --outcome rejected', 'calls that people rejected'],
      ['countersign history 3f2a91c0', 'everything that happened to one call'],
    ])
    command
      .argument('[call]', 'a call, by its short id: shows what happened to it')
      .option('--tool <name>', 'filter by tool (`server/name` for an MCP tool)')
      .addOption(new Option('--outcome <outcome>', 'filter by outcome').choices(OUTCOMES))
      .option('--since <time>', 'calls since then: 90m, 2h, 7d or 2026-01-31')
      .option('--limit <calls>', 'number of calls, newest first', '20')
      .action((call: string | undefined, flags: HistoryFlags) =>
        withDesk(io, async (desk, { ports }) =>
          call === undefined
            ? list(await desk.history(queryOf(flags, Date.now())), io)
            : tellStory(await findPast(call, desk), ports.store, io),
        ),
      )
  },
}

function queryOf(flags: HistoryFlags, now: number): CallQuery {
  return {
    limit: wholeNumber('--limit', flags.limit, 10_000),
    ...(flags.tool === undefined ? {} : { tool: flags.tool }),
    ...(flags.outcome === undefined ? {} : { outcome: flags.outcome }),
    ...(flags.since === undefined ? {} : { since: parseSince(flags.since, now) }),
  }
}

function list(calls: readonly PastCall[], io: Io): void {
  if (io.json) {
    printJson(
      io,
      calls.map((call) => ({ ...call, mark: call.requestDigest === null ? null : callName(call) })),
    )
    return
  }
  if (calls.length === 0) {
    say(io, 'no matching calls')
    return
  }
  const heading = ['opened', 'call', 'outcome', 'risk', 'what'].map(safeText)
  const rows = calls.map((call) => [
    timeText(call.openedAt),
    callName(call),
    safeText(call.outcome ?? 'running'),
    safeText(call.risk),
    safeText(call.contain === null ? call.summary : `${call.summary} (in the sandbox)`),
  ])
  for (const line of layTable([heading, ...rows], dataColumns(io))) print(io, line)
  const edited = calls.flatMap((call) => (call.disagrees === undefined ? [] : [{ call, columns: call.disagrees }]))
  for (const { call, columns } of edited)
    say(io, `warning: the store was edited: ${columns.join(', ')} of \`${callName(call)}\` does not match the journal`)
}
