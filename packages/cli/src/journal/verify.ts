import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type JournalVerdict, parseCheckpoint, verifyExport, verifyJournal } from '@countersign/core'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { linesOf, rangeOf, readNote } from './export-file.ts'
import { type OpenedJournal, withJournal } from './open-journal.ts'
import { spansBefore } from './preceding-hashes.ts'
import { createProgress } from './progress.ts'
import { proofWords } from './proof-statement.ts'

interface VerifyFlags {
  readonly against?: string
  readonly file?: string
}

export function defineVerify(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign journal verify', 'against every head this home keeps'],
    ['countersign journal verify --against head.txt', 'and one kept on another machine'],
    ['countersign journal verify --file audit.jsonl', 'an export or an archive'],
  ])
  command
    .option('--against <file>', 'also check against a checkpoint that was kept elsewhere')
    .option('--file <export>', 'check an export or an archive instead of the store')
    .action((flags: VerifyFlags) =>
      withJournal(io, async (journal) => {
        const against = flags.against === undefined ? [] : [await readNote(resolve(io.cwd, flags.against))]
        const verdict =
          flags.file === undefined
            ? await verifyStore(journal, against, io)
            : await verifyFile(journal, resolve(io.cwd, flags.file), against)
        report(verdict, io)
      }),
    )
}

async function verifyStore(journal: OpenedJournal, against: readonly string[], io: Io): Promise<JournalVerdict> {
  const { store, crypto, signer, heads } = journal
  const progress = createProgress(io, 'verified')
  try {
    const kept = [...(await heads.kept()), ...against]
    return await verifyJournal(store, { crypto, kept, publicKeys: [signer.publicKey], onProgress: progress.show })
  } finally {
    progress.clear()
  }
}

/** An export may end before the newest kept heads: only those up to its end, and its own checkpoint, speak about it. */
async function verifyFile(journal: OpenedJournal, path: string, against: readonly string[]): Promise<JournalVerdict> {
  const { store, crypto, signer, heads } = journal
  const { first, last } = await rangeOf(path)
  const beside = checkpointBeside(path)
  const own = beside === undefined ? [] : [await readNote(beside)]
  const upTo = (await heads.kept()).filter((note) => (parseCheckpoint(note)?.size ?? 0) <= last)
  const after = first > 1 ? await spansBefore(store, first, crypto) : []
  return verifyExport(linesOf(path), {
    crypto,
    kept: [...upTo, ...own, ...against],
    publicKeys: [signer.publicKey],
    after,
  })
}

function checkpointBeside(path: string): string | undefined {
  const beside = `${path.replace(/\.jsonl$/, '')}.checkpoint`
  return existsSync(beside) ? beside : undefined
}

function report(verdict: JournalVerdict, io: Io): void {
  if (verdict.kind === 'damaged') {
    io.exit(EXIT.failed.code)
    if (io.json) {
      printJson(io, verdict)
      return
    }
    print(io, `damaged: ${verdict.damage.message}`)
    say(io, 'keep a copy of the store as it is now, and compare it with a backup or an export')
    return
  }
  const proves = proofWords(verdict)
  if (io.json) {
    printJson(io, { ...verdict, proves })
    return
  }
  const { size, root, archived, keptTo, signedTo } = verdict
  print(
    io,
    `intact: ${size} ${size === 1 ? 'entry' : 'entries'}${archived > 0 ? `, the first ${archived} by their hashes` : ''}`,
  )
  print(io, `root: ${root}`)
  print(io, `signed to: ${signedTo}, by a kept head to: ${keptTo}`)
  say(io, proves)
}
