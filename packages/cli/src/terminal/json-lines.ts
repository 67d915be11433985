import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { CountersignError } from '@countersign/core'
import { EXIT } from './exit-codes.ts'
import { type Io, say } from './io.ts'

/** Maximum length of a line; a longer one gets an error as its answer. */
const MAX_LINE = 16 * 1024 * 1024
/** Output is buffered up to about this many characters. */
const PIECE = 64 * 1024

type Row = Readonly<Record<string, unknown>>

/**
 * Answers each JSON line on stdin with one JSON line on stdout, in the same order. A line that cannot be answered gets
 * `{"id", "error"}` and sets the exit code to 1; the other lines are still answered.
 */
export async function answerJsonLines(io: Io, answer: (row: Row) => object | Promise<object>): Promise<number> {
  let pending = ''
  let failed = 0
  for await (const line of linesOf(io.stdin)) {
    if (line !== null && line.trim() === '') continue
    const { answered, ok } = await answerLine(line, answer)
    if (!ok) failed += 1
    pending += `${JSON.stringify(answered)}\n`
    if (pending.length < PIECE) continue
    if (!io.stdout.write(pending)) await once(io.stdout, 'drain')
    pending = ''
  }
  if (pending !== '') io.stdout.write(pending)
  if (failed === 0) return EXIT.ok.code
  say(io, `${failed} ${failed === 1 ? 'line' : 'lines'} could not be answered; see \`error\``)
  return EXIT.failed.code
}

async function answerLine(
  line: string | null,
  answer: (row: Row) => object | Promise<object>,
): Promise<{ readonly answered: object; readonly ok: boolean }> {
  if (line === null) return refused(null, `a line is longer than ${MAX_LINE / 1024 / 1024} MiB; split it`)
  let row: unknown
  try {
    row = JSON.parse(line)
  } catch {
    return refused(null, 'the line is not JSON; write one JSON object on each line')
  }
  if (!isRow(row)) return refused(null, 'the line is not a JSON object; write one JSON object on each line')
  const id = row['id'] ?? null
  try {
    return { answered: { id, ...(await answer(row)) }, ok: true }
  } catch (error) {
    if (error instanceof CountersignError) return refused(id, error.message)
    throw error
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(id: unknown, error: string) {
  return { answered: { id, error }, ok: false }
}

/** Splits at line feeds only: JSON may contain other separators. Null stands for a line that is too long. */
async function* linesOf(input: Readable): AsyncGenerator<string | null> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let isStart = true
  let tooLong = false
  for await (const chunk of input) {
    const read = typeof chunk === 'string' ? chunk : decoder.write(chunk as Uint8Array)
    // Drops a byte order mark.
    const text = isStart && read.startsWith('\ufeff') ? read.slice(1) : read
    if (read !== '') isStart = false
    let from = 0
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      yield tooLong ? null : rest + text.slice(from, at)
      rest = ''
      tooLong = false
      from = at + 1
    }
    if (!tooLong) rest += text.slice(from)
    if (rest.length > MAX_LINE) {
      tooLong = true
      rest = ''
    }
  }
  if (tooLong) yield null
  else if (rest !== '') yield rest
}
