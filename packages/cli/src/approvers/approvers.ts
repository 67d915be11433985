import { userInfo } from 'node:os'
import { type Approver, CountersignError, publicFields, safeText } from '@countersign/core'
import { controlService, makeEnrolmentCode, openApprovers, removeApprover, systemClock } from '@countersign/node'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { idOf, shortId } from '../arguments/ids.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { existingHome } from '../home/existing-home.ts'
import { withJournal } from '../journal/open-journal.ts'
import { recordEntry } from '../journal/record-entry.ts'
import { nested } from '../nested-command.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'
import { endKey } from './end-key.ts'
import { codes, recover } from './recover.ts'
import { seal, unseal } from './seal.ts'

/** `countersign approvers`: manages the keys that can approve calls. */
export const command: Subcommand = {
  name: 'approvers',
  summary: 'manage the keys that can approve calls',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign approvers list', 'who can approve calls'],
      ['countersign approvers add', 'get a code to enroll a browser or passkey'],
      ['countersign approvers remove 3f2a91c0', 'revoke a key, its grants and its browser sign-ins'],
      ['countersign approvers seal', 'protect your key with a passphrase'],
      ['countersign approvers recover', 'replace a lost key, with a recovery code'],
    ])
    const listing = nested(command, 'list', 'list enrolled keys')
    addExamples(listing, [['countersign approvers list', 'who can approve calls']])
    listing.action(() => list(io))
    const adding = nested(command, 'add', 'show a code that enrolls a key in the inbox')
    addExamples(adding, [['countersign approvers add', 'then type the code in the inbox, within 10 minutes']])
    adding.action(() => add(io))
    const removing = nested(command, 'remove', 'revoke a key at once')
    addExamples(removing, [['countersign approvers remove 3f2a91c0', 'its signatures and grants no longer count']])
    removing.argument('<id>', 'id of the key, or the start of it').action((id: string) => remove(id, io))
    const sealing = nested(command, 'seal', 'protect the local key with a passphrase, or change it')
    addExamples(sealing, [
      ['countersign approvers seal', 'asks twice for the new passphrase'],
      [
        'countersign approvers seal --passphrase-fd 3 3< passphrase.txt',
        'from a script: current passphrase first, if there is one',
      ],
    ])
    sealing
      .option('--passphrase-fd <fd>', 'read passphrases from this file descriptor, one per line')
      .action((flags: { readonly passphraseFd?: string }) => seal(flags, io))
    const unsealing = nested(command, 'unseal', 'remove the passphrase from the local key')
    addExamples(unsealing, [['countersign approvers unseal', 'asks for the passphrase once']])
    unsealing
      .option('--passphrase-fd <fd>', 'read the passphrase from this file descriptor')
      .action((flags: { readonly passphraseFd?: string }) => unseal(flags, io))
    const making = nested(command, 'codes', 'make new recovery codes for your key')
    addExamples(making, [['countersign approvers codes', 'shown once; earlier codes no longer work']])
    making
      .option('--passphrase-fd <fd>', 'read the passphrase of a sealed key from this file descriptor')
      .action((flags: { readonly passphraseFd?: string }) => codes(flags, io))
    const recovering = nested(command, 'recover', 'replace a lost key, with a recovery code')
    addExamples(recovering, [['countersign approvers recover', 'asks for the code on the terminal']])
    recovering.action(() => recover(io))
  },
}

async function list(io: Io): Promise<void> {
  const approvers = (await openApprovers(existingHome(io)).list()).map(shown)
  if (io.json) return printJson(io, approvers)
  if (approvers.length === 0) return say(io, 'no keys are enrolled; the first `countersign approve` creates one')
  const rows = approvers.map(({ id, kind, name }) => [shortId(id), safeText(kind), safeText(name)])
  for (const line of layTable(rows, dataColumns(io))) print(io, line)
}

/** SECURITY: A2 the code is written to the terminal itself, never to stdout or stderr, so that no pipe can read it. */
async function add(io: Io): Promise<void> {
  const home = existingHome(io)
  const terminal = io.terminal()
  if (terminal === null)
    throw new CountersignError('CS_NO_INTERFACE', 'the code is shown only on a terminal; run this command in one')
  try {
    const code = makeEnrolmentCode(home, systemClock.now())
    terminal.write(`\nType this code in the inbox within 10 minutes. It works once.\n\n    ${code}\n\n`)
  } finally {
    terminal.close()
  }
  const link = await controlService(home, { do: 'ticket' }).catch(() => undefined)
  if (io.json) return printJson(io, { shown: true })
  if (link !== undefined && 'link' in link) say(io, `inbox (works once, within 30 s): ${link.link}`)
  else say(io, 'the service is not running; start it with `countersign serve`')
}

function remove(typed: string, io: Io): Promise<void> {
  return withJournal(io, async (journal) => {
    const { home } = journal
    const approvers = await openApprovers(home).list()
    const ids = approvers.map(({ id }) => id)
    const words = { what: 'enrolled key', list: 'countersign approvers list', code: 'CS_APPROVERS' } as const
    const id = idOf(typed, ids, words)
    const by = userInfo().username
    // With its public key, later audits can still check what it signed.
    const removed = approvers.find((one) => one.id === id)
    const { name, kind: of = 'ed25519' } = removed ?? { name: id }
    await recordEntry(
      journal,
      { kind: 'key-removed', call: null, key: id, name, of, by },
      removed && publicFields(removed),
    )
    removeApprover(home, id)
    const { revoked, signedOut, words: ended } = await endKey(home, id, io)
    if (io.json) return printJson(io, { removed: id, revoked, signedOut })
    print(io, [`removed ${shortId(id)}`, ...ended].join(', and '))
  })
}

function shown({ id, name, kind = 'ed25519' }: Approver) {
  return { id, name, kind }
}
