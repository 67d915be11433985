import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CountersignError, safeText, verifyJournal } from '@countersign/core'
import {
  accountHome,
  controlService,
  type HomeCopy,
  isMovedStore,
  markMoved,
  openGateKey,
  openHeads,
  openHome,
  readCopy,
  readMovedSetting,
  readStoreSetting,
  systemClock,
  unpackCopy,
} from '@countersign/node'
import { accountName } from '../home/approver-key.ts'
import { readNote } from '../journal/export-file.ts'
import { type OpenedJournal, signHead, withJournalOf } from '../journal/open-journal.ts'
import { recordEntry } from '../journal/record-entry.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'

/** `countersign home restore`: gives a copy of a home its place, once its journal is verified. */
export async function restore(typed: string, against: string | undefined, io: Io): Promise<void> {
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
    if (existing.place === 'file')
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
  for (const words of whatItIs(manifest)) say(io, words)
}

/** What a person must know about the restored home. */
function whatItIs({ how, sharedStore }: HomeCopy): readonly string[] {
  if (sharedStore === undefined)
    return how === 'backup' ? ['if the old home still exists, do not use both: their journals would differ'] : []
  const shown = safeText(sharedStore)
  if (how === 'move') return [`it shares the store ${shown}, and keeps its place among the gates there`]
  return [
    `its journal is in a file of its own, as of the backup; if gates still use ${shown}, do not use both: the journals would differ`,
    'to share it again, with the gates of the backup, run `countersign store copy` with the address of an empty store',
  ]
}

/** The home that a restored one replaces: its key, its signed heads, and its size if it can still be written. */
async function headOf(to: string) {
  const home = openHome(to)
  const isMovedAway = readMovedSetting(home) !== null
  if (!isMovedAway && readStoreSetting(home) !== null)
    throw wrong(`\`${safeText(to)}\` shares a store on PostgreSQL; restore into another folder with \`--home\``)
  if (!isMovedAway && !existsSync(home.store))
    throw wrong(`\`${safeText(to)}\` is not empty and not a home; choose another with \`--home\``)
  const status = await controlService(home, { do: 'status' }).catch(() => ({ error: true }))
  if (status !== undefined) throw wrong('a service uses this home; run `countersign stop` first')
  const { publicKey } = openGateKey(home)
  const kept = await openHeads(home).kept()
  if (isMovedAway) return { publicKey, notes: kept, size: undefined, place: 'server' } as const
  if (isMovedStore(home.store)) return { publicKey, notes: kept, size: undefined, place: 'file' } as const
  return withJournalOf(home, async (journal) => {
    const { size } = await journal.store.head()
    const notes = size === 0 ? kept : [...kept, await signHead(journal)]
    return { publicKey, notes, size, place: 'file' } as const
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
