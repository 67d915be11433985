import { callStory, type Desk, type PastCall, parseEntry, type Store, safeText } from '@countersign/core'
import { timeText } from '@countersign/terminal/card'
import { callName, findCall } from '../arguments/ids.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, hangText } from '../terminal/layout.ts'

const MOST_CALLS = 10_000
const MOST_ENTRIES = 200

/** Finds a past call by its short id, id, or the start of either. */
export async function findPast(typed: string, desk: Desk): Promise<PastCall> {
  const words = { what: 'past call', list: 'countersign history', code: 'CS_DECISION_UNKNOWN' } as const
  const calls = await desk.history({ limit: MOST_CALLS })
  const id = findCall(typed, calls, words)
  return calls.find((call) => call.id === id) as PastCall
}

/** Prints everything that happened to one call. SECURITY: A12 entries quote agents and files, so all text is escaped. */
export async function tellStory(call: PastCall, store: Store, io: Io): Promise<void> {
  const { entries, more } = await store.outlineOf(call.id, MOST_ENTRIES)
  const read = entries.flatMap(({ line }) => parseEntry(line) ?? [])
  const steps = callStory(read)
  if (io.json) return printJson(io, { ...call, steps, more })
  print(
    io,
    safeText(
      `${callName(call)} · ${call.outcome ?? 'running'} · ${call.risk === 'none' ? 'no' : call.risk} risk · ${call.tool}`,
    ),
  )
  for (const row of hangText(safeText(call.summary), dataColumns(io) - 2, 2)) print(io, `  ${row}`)
  print(io, safeText(`  asked by ${call.agent}`))
  if (steps.length === 0) say(io, 'its journal entries are archived')
  for (const { at, words, details } of steps) {
    const lines = hangText(safeText(words), dataColumns(io) - TIME, 2)
    print(io, `${timeText(at)}  ${lines[0] ?? ''}`)
    for (const row of lines.slice(1)) print(io, `${INDENT}${row}`)
    for (const detail of details)
      for (const row of hangText(safeText(detail), dataColumns(io) - TIME - 2, 2)) print(io, `${INDENT}  ${row}`)
  }
  if (more > 0) say(io, `${more} more entries are not shown; see \`countersign journal tail --call ${callName(call)}\``)
}

const TIME = 21
const INDENT = ' '.repeat(TIME)
