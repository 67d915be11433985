import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  CountersignError,
  type Crypto,
  cosignedAt,
  type JournalVerdict,
  leafHash,
  parseCheckpoint,
  type Span,
  SpanBuilder,
  type Store,
  safeText,
  verifyExport,
  verifyJournal,
} from '@countersign/core'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { verifyBundleOf } from './bundle-verify.ts'
import { linesOf, rangeOf, readNote } from './export-file.ts'
import { type OpenedJournal, withJournal } from './open-journal.ts'
import { createProgress } from './progress.ts'

interface VerifyFlags {
  readonly against?: readonly string[]
  readonly witness?: readonly string[]
  readonly file?: string
  readonly bundle?: string
  readonly key?: string
}

export function defineVerify(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign journal verify', 'check the whole journal'],
    ['countersign journal verify --against head.txt', 'also check a checkpoint kept elsewhere'],
    ['countersign journal verify --file audit.jsonl', 'check an export or archive'],
    ['countersign journal verify --file audit.jsonl --key KEY', 'check the export of a web page by its public key'],
    ['countersign journal verify --bundle audit.tar --key FINGERPRINT', 'check a bundle on any machine'],
  ])
  command
    .option('--against <file...>', 'also check against these checkpoint files')
    .option('--witness <key...>', 'with `--against`: each of these witnesses must have cosigned one of them')
    .option('--file <export>', 'check an export or archive instead of the store')
    .option('--bundle <file>', 'check a bundle; needs no home')
    .option('--key <key>', 'with `--file` or `--bundle`: the public key of another journal, or its fingerprint')
    .action((flags: VerifyFlags) => verify(flags, io))
}

async function verify(flags: VerifyFlags, io: Io): Promise<void> {
  const { bundle, file, key } = flags
  if (bundle !== undefined) {
    if (file !== undefined || flags.against !== undefined)
      throw new CountersignError('CS_USAGE', '`--bundle` contains its checkpoints; leave out `--file` and `--against`')
    return verifyBundleOf({ bundle, ...(key === undefined ? {} : { key }) }, io)
  }
  if (flags.witness !== undefined && flags.against === undefined)
    throw new CountersignError(
      'CS_USAGE',
      '`--witness` needs `--against <file>`, a checkpoint that the witness cosigned',
    )
  if (key !== undefined && file === undefined)
    throw new CountersignError(
      'CS_USAGE',
      '`--key` needs `--file <export>` or `--bundle <file>`: the store is checked with its own key',
    )
  return withJournal(io, async (journal) => {
    const against = await Promise.all((flags.against ?? []).map((path) => readNote(resolve(io.cwd, path))))
    if (flags.witness !== undefined) reportCosignatures(against, flags.witness, journal.crypto, io)
    const verdict =
      file === undefined
        ? await verifyStore(journal, against, io)
        : await verifyFile(journal, { path: resolve(io.cwd, file), against, key })
    report(verdict, io)
  })
}

/** Without every cosignature that was asked for, nothing is verified. */
function reportCosignatures(notes: readonly string[], typed: readonly string[], crypto: Crypto, io: Io): void {
  const keys = [...new Set(typed)]
  const times = keys.flatMap((key) => {
    const at = notes.flatMap((note) => cosignedAt(note, key, crypto) ?? [])
    return at.length === 0 ? [] : [Math.max(...at)]
  })
  if (times.length < keys.length)
    throw new CountersignError(
      'CS_JOURNAL_DAMAGED',
      keys.length === 1
        ? 'the checkpoint is not cosigned by this witness; compare the key with `countersign journal witness --show-key` there'
        : `only ${times.length} of ${keys.length} witnesses cosigned these checkpoints; pass the file of each with \`--against\`, and compare the keys with \`countersign journal witness --show-key\` there`,
    )
  const oldest = new Date(Math.min(...times) * 1000).toISOString()
  if (keys.length === 1) say(io, `cosigned by the witness at ${oldest}`)
  else say(io, `cosigned by ${times.length} of ${keys.length} witnesses, the earliest at ${oldest}`)
}

async function verifyStore(journal: OpenedJournal, against: readonly string[], io: Io): Promise<JournalVerdict> {
  const { store, crypto, heads, keys } = journal
  const progress = createProgress(io, 'verified')
  try {
    const kept = [...(await heads.kept()), ...against]
    return await verifyJournal(store, { crypto, kept, ...keys, onProgress: progress.show })
  } finally {
    progress.clear()
  }
}

interface VerifiedFile {
  readonly path: string
  readonly against: readonly string[]
  readonly key: string | undefined
}

/**
 * Uses the export's own checkpoint, and kept checkpoints up to its last entry: later ones do not apply. With the key of
 * another journal, nothing that this home knows counts.
 */
async function verifyFile(journal: OpenedJournal, { path, against, key }: VerifiedFile): Promise<JournalVerdict> {
  const { store, crypto, heads, keys } = journal
  const { first, last } = await rangeOf(path)
  const beside = checkpointBeside(path)
  const own = beside === undefined ? [] : [await readNote(beside)]
  if (key !== undefined)
    return verifyExport(linesOf(path), { crypto, kept: [...own, ...against], publicKeys: [publicKey(key)] })
  const upTo = (await heads.kept()).filter((note) => (parseCheckpoint(note)?.size ?? 0) <= last)
  const after = first > 1 ? await spansBefore(store, first, crypto) : []
  return verifyExport(linesOf(path), {
    crypto,
    kept: [...upTo, ...own, ...against],
    ...keys,
    after,
  })
}

function publicKey(text: string): string {
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return text
  throw new CountersignError('CS_USAGE', `\`--key\` must be 32 bytes in base64, not \`${safeText(text)}\``)
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
    say(io, 'keep a copy of the store in its current state, and compare it with a backup or an export')
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
    `intact: ${size} ${size === 1 ? 'entry' : 'entries'}${archived > 0 ? `, the first ${archived} archived and checked by hash` : ''}`,
  )
  print(io, `root: ${root}`)
  print(io, `signed up to: ${signedTo}, confirmed by a kept checkpoint up to: ${keptTo}`)
  say(io, proves)
}

const PAGE = 1000

/** The hashes of all entries before `first`: stored ones for archived entries, computed ones for the rest. */
async function spansBefore(store: Store, first: number, crypto: Crypto): Promise<readonly Span[]> {
  const spans = (await store.spans()).filter(({ to }) => to < first)
  const from = spans.at(-1)?.to ?? 0
  const { size } = await store.head()
  const missing = new CountersignError(
    'CS_USAGE',
    `the export starts at entry ${first}, and this home lacks the hashes of earlier entries; verify the parts in order, from entry 1`,
  )
  if (first > size + 1) throw missing
  const builder = new SpanBuilder(from, [first - 1], crypto)
  for (let at = from + 1; at < first; at += PAGE) {
    const page = await store.entries(at, Math.min(first - 1, at + PAGE - 1))
    if (page.length === 0) throw missing
    for (const { line } of page) builder.add(leafHash(line, crypto))
  }
  return [...spans, ...builder.spans()]
}

type Intact = Extract<JournalVerdict, { readonly kind: 'intact' }>

/** What an intact journal proves: never more than its checkpoints cover. */
export function proofWords(verdict: Intact): string {
  const { size, keptTo, signedTo } = verdict
  if (size === 0) return 'proves nothing yet: the journal is empty'
  if (keptTo > 0)
    return `proves that entries 1 to ${keptTo} are unchanged since a kept checkpoint was signed${keptTo < size ? `; does not prove that entries after ${keptTo} are complete` : ''}; does not protect against someone who has the gate’s key and every kept checkpoint`
  if (signedTo > 0)
    return `proves that entries 1 to ${signedTo} match checkpoints in the store; does not prove that the whole store was not replaced: keep a checkpoint elsewhere with \`countersign journal checkpoint\``
  return 'proves only that the entries are consistent; no checkpoint confirms them yet: sign one with `countersign journal checkpoint`'
}
