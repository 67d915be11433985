import { join, resolve } from 'node:path'
import { CountersignError, cosign, followJournal, safeText, type Witnessed, witnessKey } from '@countersign/core'
import { openWitnessKey, readOwnFile, replaceOwnFile, systemClock } from '@countersign/node'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { existingHome } from '../home/existing-home.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { fetchNote, readNote } from './export-file.ts'
import { type OpenedJournal, withJournal } from './open-journal.ts'

interface WitnessFlags {
  readonly head?: readonly string[]
  readonly out?: string
  readonly showKey?: true
}

const MAX_STATE = 65_536

/** `countersign journal witness`: follows a journal from what was seen last, and cosigns it if it only grew. */
export function defineWitness(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign journal witness --out cosigned.txt', 'on another machine, every few minutes'],
    ['countersign journal witness --head head.txt', 'also compare a checkpoint that another gate signed'],
    ['countersign journal witness --show-key', 'the key for `countersign journal verify --witness`'],
  ])
  command
    .option('--head <file|url...>', 'also compare checkpoints from other places')
    .option('--out <file>', 'write the cosigned checkpoint to this file instead of stdout, replacing it')
    .option('--show-key', 'print the public key of this witness')
    .action((flags: WitnessFlags) => witness(flags, io))
}

async function witness(flags: WitnessFlags, io: Io): Promise<void> {
  if (flags.showKey === true)
    return withJournal(io, async ({ home, crypto }) => print(io, witnessKey(openWitnessKey(home), crypto)))
  const notes = await Promise.all((flags.head ?? []).map((place) => noteAt(place, io)))
  return withJournal(io, async (journal) => {
    const path = join(existingHome(io).heads, 'witness.json')
    const { store, crypto, keys, heads } = journal
    const seen = readSeen(path, keys.origin)
    const found = await followJournal(store, { ...keys, crypto, seen, notes: [...(await heads.kept()), ...notes] })
    if (found.kind !== 'consistent') return alarm(found, io)
    const { size, frontier } = found.head
    const cosigned = found.newest === undefined ? undefined : cosignedBy(journal, found.newest.note)
    replaceOwnFile(path, `${JSON.stringify({ v: 1, origin: keys.origin, size, frontier })}\n`)
    if (cosigned !== undefined && flags.out !== undefined) replaceOwnFile(resolve(io.cwd, flags.out), cosigned)
    if (io.json)
      return printJson(io, {
        kind: 'consistent',
        from: seen.size,
        size,
        cosigned: found.newest?.size ?? null,
        note: cosigned ?? null,
      })
    if (cosigned !== undefined && flags.out === undefined) io.stdout.write(cosigned)
    say(io, `entries ${seen.size + 1} to ${size} continue what was seen before`)
    if (found.newest === undefined)
      say(io, 'no new checkpoint to cosign; a gate signs one within a minute of new entries')
    else say(io, `cosigned entries 1 to ${found.newest.size}`)
  })
}

function cosignedBy({ home, crypto }: OpenedJournal, note: string): string {
  return cosign(note, openWitnessKey(home), Math.floor(systemClock.now() / 1000), crypto)
}

/** Nothing is cosigned or remembered: the next run says the same, until a person has looked. */
function alarm(found: Exclude<Witnessed, { readonly kind: 'consistent' }>, io: Io): void {
  io.exit(EXIT.failed.code)
  if (io.json) {
    printJson(io, found)
    return
  }
  print(io, `${found.kind}: ${wordsOf(found)}`)
  say(
    io,
    'nothing was cosigned; stop the gates, keep a copy of the database, and compare `countersign journal verify` on two machines',
  )
}

function wordsOf(found: Exclude<Witnessed, { readonly kind: 'consistent' }>): string {
  switch (found.kind) {
    case 'rolled-back':
      return `the journal ends at entry ${found.size}, but entry ${found.known} was seen or signed before`
    case 'forked':
      return `the entries up to ${found.size} are not those that were seen or signed before`
    case 'archived':
      return `entries from ${found.from} on were archived before this witness saw them; run it more often than \`journal rotate\``
  }
}

async function noteAt(place: string, io: Io): Promise<string> {
  return /^https?:\/\//.test(place) ? fetchNote(place) : readNote(resolve(io.cwd, place))
}

function readSeen(path: string, origin: string): { readonly size: number; readonly frontier: string } {
  const text = readOwnFile(path, MAX_STATE, 'CS_HOME')
  if (text === undefined) return { size: 0, frontier: '' }
  try {
    const state = JSON.parse(text) as { v?: unknown; origin?: unknown; size?: unknown; frontier?: unknown }
    const { size, frontier } = state
    if (state.v === 1 && typeof size === 'number' && Number.isSafeInteger(size) && typeof frontier === 'string') {
      if (state.origin === origin) return { size, frontier }
      throw new CountersignError(
        'CS_JOURNAL_DAMAGED',
        `this witness follows another journal, \`${safeText(String(state.origin))}\`; use a home of its own for each`,
      )
    }
  } catch (error) {
    if (error instanceof CountersignError) throw error
  }
  throw new CountersignError('CS_HOME', `\`${safeText(path)}\` is damaged; restore it from a backup`)
}
