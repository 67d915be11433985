import { existsSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CountersignError, safeText, verifyJournal } from '@countersign/core'
import {
  accountHome,
  beginCopy,
  controlService,
  type Home,
  isMovedStore,
  markMoved,
  openGateKey,
  openHeads,
  openHome,
  readCopy,
  readStoreSetting,
  systemClock,
  unpackCopy,
} from '@countersign/node'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { accountName } from '../home/approver-key.ts'
import { existingHome } from '../home/existing-home.ts'
import { readNote } from '../journal/export-file.ts'
import { type OpenedJournal, signHead, withJournalOf } from '../journal/open-journal.ts'
import { recordEntry } from '../journal/record-entry.ts'
import { nested } from '../nested-command.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'

/** `countersign home`: copies of the home, to keep or for another machine. */
export const command: Subcommand = {
  name: 'home',
  summary: 'back up, restore or move the home',
  define(command, io) {
    addExamples(command, [
      ['countersign home backup ~/countersign-backup', 'copy policy, keys, journal and held calls to a new folder'],
      ['countersign home move /media/usb/countersign', 'the same, and stop using this home'],
      ['countersign home restore /media/usb/countersign', 'on the other machine'],
    ])
    const backingUp = nested(command, 'backup', 'copy the home to a new folder, also while a service runs')
    addExamples(backingUp, [['countersign home backup ~/countersign-backup', 'contains your keys: keep it safe']])
    backingUp.argument('<folder>', 'a folder that does not exist').action((to: string) => copy(to, 'backup', io))
    const moving = nested(command, 'move', 'copy the home to a new folder, and stop using this one')
    addExamples(moving, [['countersign home move /media/usb/countersign', 'then restore it on the other machine']])
    moving.argument('<folder>', 'a folder that does not exist').action((to: string) => copy(to, 'move', io))
    const restoring = nested(command, 'restore', 'use a copy as the home, after verifying its journal')
    addExamples(restoring, [['countersign home restore /media/usb/countersign', 'never replaces a newer home']])
    restoring
      .argument('<folder>', 'made by `home backup` or `home move`')
      .option('--against <file>', 'refuse a copy that lacks entries of this checkpoint, kept elsewhere')
      .action((from: string, flags: { readonly against?: string }) => restore(from, flags.against, io))
  },
}

async function copy(typed: string, how: 'backup' | 'move', io: Io): Promise<void> {
  const home = existingHome(io)
  if (readStoreSetting(home) !== null)
    throw wrong(
      'the store of this home is on PostgreSQL; copy the home’s folder, and back up the database with `pg_dump`',
    )
  const to = resolve(io.cwd, typed)
  if (`${to}/`.startsWith(`${home.dir}/`)) throw wrong(`\`${safeText(to)}\` is inside the home; name another folder`)
  if (existsSync(to)) throw wrong(`\`${safeText(to)}\` exists; name a new folder`)
  const project = await projectAround(to, home)
  if (project !== null)
    throw wrong(
      `\`${safeText(to)}\` is inside the project \`${safeText(project)}\`, where agents could read your keys; name a folder outside`,
    )
  // A move that was interrupted after the home was marked is done again: its journal is closed already.
  const isAgain = how === 'move' && existsSync(home.store) && isMovedStore(home.store)
  if (!isAgain)
    await withJournalOf(home, async (journal) => {
      await recordEntry(journal, { kind: 'home-copied', call: null, how, to, by: accountName() })
      await signHead(journal)
    })
  const made = beginCopy(home, to, how, systemClock.now())
  made.finish()
  if (io.json) return printJson(io, { [how === 'move' ? 'moved' : 'copied']: to })
  print(io, `${how === 'move' ? 'moved' : 'copied'} the home to ${safeText(to)}`)
  say(io, 'it contains your keys and your journal: keep it where only you can read it')
  if (how === 'move')
    say(io, 'this home no longer runs anything; on the other machine: `countersign home restore <folder>`')
}

const CHECKOUTS = ['.git', '.hg', '.jj', '.svn']

/**
 * The project that a folder would be in: a checkout, or a workspace where gated calls changed files. Null if none.
 * SECURITY: A3 commands that nobody approves can read their workspace, so a copy of the keys must not be in one.
 */
async function projectAround(folder: string, home: Home): Promise<string | null> {
  const isReadable = existsSync(home.store) && !isMovedStore(home.store)
  const used = !isReadable ? [] : await withJournalOf(home, ({ store }) => store.changedWorkspaces())
  for (let at = dirname(folder); at !== dirname(at); at = dirname(at))
    if (used.includes(at) || CHECKOUTS.some((name) => existsSync(join(at, name)))) return at
  return null
}

async function restore(typed: string, against: string | undefined, io: Io): Promise<void> {
  const from = resolve(io.cwd, typed)
  const head = against === undefined ? [] : [await readNote(resolve(io.cwd, against))]
  const to = io.home === undefined ? join(accountHome() ?? '/', '.countersign') : resolve(io.cwd, io.home)
  const manifest = readCopy(from)
  const isReplacing = existsSync(to) && readdirSync(to).length > 0
  const existing = isReplacing ? await headOf(to) : undefined
  const unpacked = unpackCopy(from, manifest, to)
  const home = openHome(unpacked.folder)
  if (!existsSync(join(home.keys, 'gate.key'))) throw wrong(`\`${safeText(from)}\` has no gate key; use another copy`)
  const size = await withJournalOf(home, async (journal) => {
    if (existing !== undefined && existing.publicKey !== journal.signer.publicKey)
      throw wrong(`\`${safeText(to)}\` is another home; choose a folder with \`--home\``)
    const verified = await verifiedSize(journal, existing?.notes ?? [], to)
    if (head.length > 0) await verifiedSize(journal, head, against ?? '')
    await recordEntry(journal, { kind: 'home-restored', call: null, from, size: verified, by: accountName() })
    return verified
  })
  if (existing !== undefined) {
    const aside = `${to}.before-${new Date(systemClock.now()).toISOString().replaceAll(/[-:.]/g, '')}`
    markMoved(join(to, 'store.db'), (now) => {
      if (existing.size !== undefined && now !== existing.size)
        throw wrong(`\`${safeText(to)}\` was written to meanwhile; stop what uses it and try again`)
    })
    renameSync(to, aside)
    say(io, `the older home is kept in ${safeText(aside)}`)
  }
  unpacked.finish()
  if (io.json) return printJson(io, { restored: to, entries: size })
  print(io, `restored ${safeText(to)}: ${size} journal entries, intact and signed`)
  if (manifest.how === 'backup') say(io, 'if the old home still exists, do not use both: their journals would differ')
}

/** The home that a restored one replaces: its key, its signed heads, and its size if it can still be written. */
async function headOf(to: string) {
  const home = openHome(to)
  if (!existsSync(home.store))
    throw wrong(`\`${safeText(to)}\` is not empty and not a home; choose another with \`--home\``)
  const status = await controlService(home, { do: 'status' }).catch(() => ({ error: true }))
  if (status !== undefined) throw wrong('a service uses this home; run `countersign stop` first')
  const { publicKey } = openGateKey(home)
  const kept = await openHeads(home).kept()
  if (isMovedStore(home.store)) return { publicKey, notes: kept, size: undefined }
  return withJournalOf(home, async (journal) => {
    const { size } = await journal.store.head()
    return { publicKey, notes: size === 0 ? kept : [...kept, await signHead(journal)], size }
  })
}

/** The size of a journal that is intact, signed, and reaches all of these heads. */
async function verifiedSize(journal: OpenedJournal, others: readonly string[], to: string): Promise<number> {
  const { store, crypto, heads, keys } = journal
  const options = { crypto, ...keys }
  const own = await verifyJournal(store, { ...options, kept: await heads.kept() })
  if (own.kind === 'damaged')
    throw new CountersignError('CS_JOURNAL_DAMAGED', `${own.damage.message}; nothing was restored, use another copy`)
  const whole = await verifyJournal(store, { ...options, kept: [...(await heads.kept()), ...others] })
  if (whole.kind === 'damaged')
    throw wrong(`\`${safeText(to)}\` is newer than the copy or differs from it; nothing was restored`)
  return own.size
}

function wrong(message: string): CountersignError {
  return new CountersignError('CS_HOME', message)
}
