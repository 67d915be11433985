import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import { type FoundSecret, scanSecrets } from '@countersign/node'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { answerJsonLines } from '../terminal/json-lines.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'

interface ScanFlags {
  readonly file?: readonly string[]
  readonly jsonl?: true
}

interface Scanned extends ScannedText {
  readonly found: readonly FoundSecret[]
}

/** `countersign scan`: finds secrets in text, files or stdin, without printing them. */
export const command: Subcommand = {
  name: 'scan',
  summary: 'find secrets in text, files or stdin',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['git diff | countersign scan', 'check a diff'],
      ['countersign scan --file .env config.yaml', 'check files'],
      ['countersign scan --jsonl < texts.jsonl', 'check many texts, as JSON lines'],
    ])
    command
      .argument('[text]', 'text to scan (default: stdin)')
      .option('--file <path...>', 'files to scan')
      .option('--jsonl', 'read {"id","text"} lines from stdin, print {"id","found"} lines')
      .action((text: string | undefined, flags: ScanFlags) => scan(text, flags, io))
  },
}

async function scan(text: string | undefined, { file = [], jsonl }: ScanFlags, io: Io): Promise<void> {
  if (jsonl === true) {
    if (text !== undefined || file.length > 0)
      throw new CountersignError('CS_USAGE', '`--jsonl` reads stdin; remove the text and `--file`')
    return io.exit(await answerJsonLines(io, answerRow))
  }
  const scanned: Scanned[] = []
  for await (const one of readTexts(text, file, io)) scanned.push({ ...one, found: await scanSecrets(one.text) })
  const count = scanned.reduce((sum, { found }) => sum + found.length, 0)
  if (count > 0) io.exit(EXIT.failed.code)
  if (io.json) return printJson(io, scanned.map(jsonOf))
  report(scanned, count, io)
}

async function answerRow(row: { readonly [name: string]: unknown }): Promise<object> {
  const { text } = row
  if (typeof text !== 'string')
    throw new CountersignError('CS_USAGE', '`text` must be a string; write {"id", "text"} on each line')
  return { found: (await scanSecrets(text)).map(({ kind, start, end }) => ({ kind, start, end })) }
}

function jsonOf({ name, text, found }: Scanned): object {
  return {
    ...(name === null ? {} : { file: name }),
    found: found.map(({ kind, start, end }) => ({ kind, start, end, ...placeIn(text, start) })),
  }
}

/** The message if nothing was found. A single word may be a misspelled file name, so it hints at `--file`. */
function cleanWords(scanned: readonly Scanned[]): string {
  const [only] = scanned
  if (only === undefined || scanned.length > 1) return `no secrets found in ${scanned.length} files`
  return only.isWord === true ? 'no secrets found in this word; to scan a file, use `--file`' : 'no secrets found'
}

function report(scanned: readonly Scanned[], count: number, io: Io): void {
  if (count === 0) {
    say(io, cleanWords(scanned))
    return
  }
  const rows = scanned.flatMap(({ name, text, found }) =>
    found.map(({ kind, start, end }) => {
      const { line, column } = placeIn(text, start)
      const where = `${name === null ? '' : `${name}:`}${line}:${column}`
      return [kind, where, maskedTail(text.slice(start, end))].map((cell) => safeText(cell))
    }),
  )
  const heading = ['kind', 'where', 'secret'].map((cell) => safeText(cell))
  for (const line of layTable([heading, ...rows], dataColumns(io))) print(io, line)
  say(io, `${count} ${count === 1 ? 'secret' : 'secrets'} found`)
}

/** Line and column of an offset, both starting at 1. */
function placeIn(text: string, at: number): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) {
    line += 1
    start = end + 1
  }
  return { line, column: at - start + 1 }
}

/** A masked secret: its length and, if it is long, its last characters. */
function maskedTail(secret: string): string {
  const tail = secret.length < 16 || secret.includes('\n') ? '' : secret.slice(-4)
  return `…${tail} (${secret.length} characters)`
}

/** A text to scan, with its file name; null for arguments and stdin. */
interface ScannedText {
  readonly name: string | null
  readonly text: string
  /** A single word passed as argument. */
  readonly isWord?: boolean
}

/** Maximum path length on supported systems. */
const LONGEST_PATH = 4096
const MOST_BYTES = 64 * 1024 * 1024

/** Yields the given text and files, or stdin if there are none. */
async function* readTexts(text: string | undefined, files: readonly string[], io: Io): AsyncGenerator<ScannedText> {
  if (text !== undefined) {
    await refuseFileName(text, io)
    yield { name: null, text, isWord: /^\S+$/.test(text) }
  }
  for (const name of files) yield { name, text: await readText(name, io) }
  if (text === undefined && files.length === 0) yield { name: null, text: await readStdin(io) }
}

/** INVARIANT: L3 a file name passed as text is refused: its content would not be scanned. */
async function refuseFileName(text: string, io: Io): Promise<void> {
  if (text === '' || text.length > LONGEST_PATH || text.includes('\0')) return
  const found = await stat(resolve(io.cwd, text)).catch(() => null)
  if (found === null) return
  const what = found.isDirectory() ? 'a folder; scan its files' : 'a file; scan it'
  throw usage(`\`${safeText(text)}\` is ${what} with \`--file\`, or pass the text on stdin`)
}

async function readText(name: string, io: Io): Promise<string> {
  const path = resolve(io.cwd, name)
  try {
    const { size } = await stat(path)
    if (size <= MOST_BYTES) return await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw usage(`\`${safeText(name)}\` cannot be read (${code}); check the path`)
  }
  throw usage(`\`${safeText(name)}\` is over 64 MiB; split it`)
}

async function readStdin(io: Io): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of io.stdin) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : (piece as Buffer)
    size += bytes.length
    if (size > MOST_BYTES) throw usage('stdin is over 64 MiB; split it')
    pieces.push(bytes)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function usage(message: string): CountersignError {
  return new CountersignError('CS_USAGE', message)
}
