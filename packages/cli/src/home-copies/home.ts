import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import {
  beginCopy,
  beginSharedBackup,
  beginSharedMove,
  type Home,
  isMovedStore,
  readMovedSetting,
  readStoreSetting,
  systemClock,
} from '@countersign/node'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { accountName } from '../home/approver-key.ts'
import { existingHome } from '../home/existing-home.ts'
import { signHead, withJournalOf } from '../journal/open-journal.ts'
import { createProgress } from '../journal/progress.ts'
import { recordEntry } from '../journal/record-entry.ts'
import { nested } from '../nested-command.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { restore } from './restore.ts'

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
  const to = resolve(io.cwd, typed)
  if (`${to}/`.startsWith(`${home.dir}/`)) throw wrong(`\`${safeText(to)}\` is inside the home; name another folder`)
  if (existsSync(to)) throw wrong(`\`${safeText(to)}\` exists; name a new folder`)
  // A move that was interrupted after the home was marked is done again: its journal is closed already.
  const moved = how === 'move' ? readMovedSetting(home) : null
  const address = moved ?? readStoreSetting(home)
  const isAgain = moved !== null || (how === 'move' && existsSync(home.store) && isMovedStore(home.store))
  const project = await projectAround(to, isAgain ? null : home)
  if (project !== null)
    throw wrong(
      `\`${safeText(to)}\` is inside the project \`${safeText(project)}\`, where agents could read your keys; name a folder outside`,
    )
  if (!isAgain)
    await withJournalOf(home, async (journal) => {
      await recordEntry(journal, { kind: 'home-copied', call: null, how, to, by: accountName() })
      await signHead(journal)
    })
  if (address === null) beginCopy(home, to, how, systemClock.now()).finish()
  else if (how === 'move') (await beginSharedMove(home, address, to, systemClock.now())).finish()
  else await backUpShared(home, address, to, io)
  if (io.json) return printJson(io, { [how === 'move' ? 'moved' : 'copied']: to })
  print(io, `${how === 'move' ? 'moved' : 'copied'} the home to ${safeText(to)}`)
  say(
    io,
    how === 'move' && address !== null
      ? 'it contains your keys: keep it where only you can read it'
      : 'it contains your keys and your journal: keep it where only you can read it',
  )
  if (how === 'move')
    say(io, 'this home no longer runs anything; on the other machine: `countersign home restore <folder>`')
}

async function backUpShared(home: Home, address: string, to: string, io: Io): Promise<void> {
  const progress = createProgress(io, 'copied')
  const onRows = (table: string, rows: number, total: number) => {
    if (table === 'entry') progress.show(rows, total)
  }
  const made = await beginSharedBackup(home, address, to, { at: systemClock.now(), onRows }).finally(progress.clear)
  made.finish()
}

const CHECKOUTS = ['.git', '.hg', '.jj', '.svn']

/**
 * The project that a folder would be in: a checkout, or a workspace where gated calls of the home changed files. Null if none.
 * SECURITY: A3 commands that nobody approves can read their workspace, so a copy of the keys must not be in one.
 */
async function projectAround(folder: string, home: Home | null): Promise<string | null> {
  const isUsed = home !== null && (existsSync(home.store) || readStoreSetting(home) !== null)
  const used = isUsed ? await withJournalOf(home, ({ store }) => store.changedWorkspaces()) : []
  for (let at = dirname(folder); at !== dirname(at); at = dirname(at))
    if (used.includes(at) || CHECKOUTS.some((name) => existsSync(join(at, name)))) return at
  return null
}

function wrong(message: string): CountersignError {
  return new CountersignError('CS_HOME', message)
}
