import { CountersignError, safeText } from '@countersign/core'
import { type FoundSecret, scanSecrets } from '@countersign/node'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { answerJsonLines } from '../terminal/json-lines.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'
import { maskedTail, placeIn } from './text-position.ts'
import { readTexts, type ScannedText } from './texts.ts'

interface ScanFlags {
  readonly file?: readonly string[]
  readonly jsonl?: true
}

interface Scanned extends ScannedText {
  readonly found: readonly FoundSecret[]
}

/** Finds secrets in a text, in files or in what is piped in, and shows none of them. */
export const command: Subcommand = {
  name: 'scan',
  summary: 'find secrets in a text, in files or on stdin',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['git diff | countersign scan', 'what would be committed'],
      ['countersign scan --file .env config.yaml', 'files'],
      ['countersign scan --jsonl < texts.jsonl', 'many texts, one JSON object a line'],
    ])
    command
      .argument('[text]', 'the text; stdin when neither a text nor a file is given')
      .option('--file <path...>', 'files to read')
      .option('--jsonl', 'read {"id","text"} on each line of stdin, write {"id","found"} for each')
      .action((text: string | undefined, flags: ScanFlags) => scan(text, flags, io))
  },
}

async function scan(text: string | undefined, { file = [], jsonl }: ScanFlags, io: Io): Promise<void> {
  if (jsonl === true) {
    if (text !== undefined || file.length > 0)
      throw new CountersignError('CS_USAGE', '`--jsonl` reads stdin; leave the text and `--file` away')
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
    throw new CountersignError('CS_USAGE', '`text` is no text; write {"id", "text"} on each line')
  return { found: (await scanSecrets(text)).map(({ kind, start, end }) => ({ kind, start, end })) }
}

function jsonOf({ name, text, found }: Scanned): object {
  return {
    ...(name === null ? {} : { file: name }),
    found: found.map(({ kind, start, end }) => ({ kind, start, end, ...placeIn(text, start) })),
  }
}

/** One word may be the name of a file that is not here: then nobody should take it for a clean file. */
function cleanWords(scanned: readonly Scanned[]): string {
  const [only] = scanned
  if (only === undefined || scanned.length > 1) return `no secrets in ${scanned.length} files`
  return only.isWord === true ? 'no secrets in this word; a file is read with `--file`' : 'no secrets'
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
  say(io, `${count} ${count === 1 ? 'secret' : 'secrets'}`)
}
