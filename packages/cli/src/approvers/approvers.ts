import { userInfo } from 'node:os'
import { type Approver, CountersignError, safeText } from '@countersign/core'
import { controlService, makeEnrolmentCode, openApprovers, removeApprover, systemClock } from '@countersign/node'
import type { Command } from 'commander'
import { addExamples } from '../examples.ts'
import { existingHome } from '../existing-home.ts'
import { refuseInside } from '../inside.ts'
import { type Io, print, printJson, say } from '../io.ts'
import { withJournal } from '../journal/open-journal.ts'
import { recordEntry } from '../journal/record-entry.ts'
import { dataColumns, layTable } from '../layout.ts'
import { nested } from '../nested.ts'
import { idOf, shortId } from '../short-id.ts'
import type { Subcommand } from '../subcommand.ts'

/** `countersign approvers`: the keys whose signatures decide. */
export const command: Subcommand = {
  name: 'approvers',
  summary: 'list, add and remove the keys that may decide',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign approvers list', 'whose signatures count'],
      ['countersign approvers add', 'a code that enrols one more browser or passkey'],
      ['countersign approvers remove 3f2a91c0', 'what this key signs no longer counts'],
    ])
    const listing = nested(command, 'list', 'list the enrolled keys')
    addExamples(listing, [['countersign approvers list', 'whose signatures count']])
    listing.action(() => list(io))
    const adding = nested(command, 'add', 'show a code that enrols one more key in the inbox')
    addExamples(adding, [['countersign approvers add', 'type the code in the inbox, within ten minutes']])
    adding.action(() => add(io))
    const removing = nested(command, 'remove', 'take a key out at once')
    addExamples(removing, [['countersign approvers remove 3f2a91c0', 'what this key signs no longer counts']])
    removing.argument('<id>', 'the key’s id, or the beginning of it').action((id: string) => remove(id, io))
  },
}

async function list(io: Io): Promise<void> {
  const approvers = (await openApprovers(existingHome(io)).list()).map(shown)
  if (io.json) return printJson(io, approvers)
  if (approvers.length === 0) return say(io, 'nobody is enrolled; the first `countersign approve` makes a local key')
  const rows = approvers.map(({ id, kind, name }) => [shortId(id), safeText(kind), safeText(name)])
  for (const line of layTable(rows, dataColumns(io))) print(io, line)
}

/** SECURITY: A2 the code is written to the terminal itself: nobody reads it from a pipe, and it is in no output. */
async function add(io: Io): Promise<void> {
  refuseInside(io)
  const home = existingHome(io)
  const terminal = io.terminal()
  if (terminal === null)
    throw new CountersignError('CS_NO_INTERFACE', 'the code is shown on a terminal only; run this in one')
  try {
    const code = makeEnrolmentCode(home, systemClock.now())
    terminal.write(`\nType this code in the inbox, within ten minutes, once:\n\n    ${code}\n\n`)
  } finally {
    terminal.close()
  }
  const link = await controlService(home, { do: 'ticket' }).catch(() => undefined)
  if (io.json) return printJson(io, { shown: true })
  if (link !== undefined && 'link' in link) say(io, `the inbox, to open once within 30 s: ${link.link}`)
  else say(io, 'no service runs; start one with `countersign serve`')
}

function remove(typed: string, io: Io): Promise<void> {
  refuseInside(io)
  return withJournal(io, async (journal) => {
    const { home } = journal
    const ids = (await openApprovers(home).list()).map(({ id }) => id)
    const words = { what: 'enrolled key', list: 'countersign approvers list', code: 'CS_APPROVERS' } as const
    const id = idOf(typed, ids, words)
    await recordEntry(journal, { kind: 'key-removed', call: null, key: id, by: userInfo().username })
    removeApprover(home, id)
    if (io.json) return printJson(io, { removed: id })
    print(io, `removed ${shortId(id)}`)
  })
}

function shown({ id, name, kind = 'ed25519' }: Approver) {
  return { id, name, kind }
}
