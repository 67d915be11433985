import { resolve } from 'node:path'
import { CountersignError, type GateList, safeText } from '@countersign/core'
import {
  controlService,
  type FollowedGates,
  joinStore,
  newJoinCode,
  openCrypto,
  openGateKey,
  openHome,
  openHomeStore,
} from '@countersign/node'
import { wholeNumber } from '../arguments/flag-values.ts'
import { addExamples } from '../arguments/help-examples.ts'
import { idOf, shortId } from '../arguments/ids.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { existingHome } from '../home/existing-home.ts'
import { readLine } from '../home/unlock.ts'
import { nested } from '../nested-command.ts'
import { addressOf } from '../store/store-address.ts'
import type { Terminal } from '../terminal/controlling-terminal.ts'
import { askHidden } from '../terminal/hidden-input.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'

const EXAMPLE = 'postgres://gate@db.example/countersign'
const CODE_FD = 'read the code from this file descriptor instead of the terminal'

interface CodeFlags {
  readonly codeFd?: string
}

/** `countersign gates`: the machines that share a store. */
export const command: Subcommand = {
  name: 'gates',
  summary: 'share a store with other machines: list, join, admit, remove',
  define(command, io) {
    addExamples(command, [
      ['countersign gates list', 'the machines that share this home’s store'],
      [`countersign gates join ${EXAMPLE}`, 'on the new machine: shows a code, and waits'],
      ['countersign gates admit', 'on a machine that uses the store: asks for that code'],
      ['countersign gates remove 3f2a91c0', 'what this machine signs from now on does not count'],
    ])
    const listing = nested(command, 'list', 'list the machines that share the store')
    addExamples(listing, [['countersign gates list', 'with the ids of their keys']])
    listing.action(() => list(io))
    const joining = nested(command, 'join', 'share the store that other machines use')
    addExamples(joining, [[`countersign gates join ${EXAMPLE}`, 'then run `countersign gates admit` on one of them']])
    joining
      .argument(
        '<address>',
        '`postgres://…`; `-` reads it from stdin, so that the password is in no program’s arguments',
      )
      .option('--code-fd <fd>', CODE_FD)
      .action((typed: string, flags: CodeFlags) => join(typed, flags, io))
    const admitting = nested(command, 'admit', 'let a machine join, with the code it shows')
    addExamples(admitting, [['countersign gates admit', 'asks for the code on the terminal']])
    admitting.option('--code-fd <fd>', CODE_FD).action((flags: CodeFlags) => admit(flags, io))
    const removing = nested(command, 'remove', 'remove a machine from the store')
    addExamples(removing, [['countersign gates remove 3f2a91c0', 'also take away its access to the database']])
    removing.argument('<id>', 'id of the machine’s key, or the start of it').action((id: string) => remove(id, io))
  },
}

async function list(io: Io): Promise<void> {
  await withGates(io, async (gates, own) => {
    const listed = gates.list()
    if (io.json) return printJson(io, { journal: listed.journal, version: listed.version, gates: listed.gates })
    print(io, `journal: ${listed.journal}`)
    for (const line of table(listed, own, io)) print(io, line)
  })
}

function table({ gates }: GateList, own: string, io: Io): readonly string[] {
  const rows = gates.map(({ id, name, addedAt, removedAfter }) => [
    shortId(id),
    safeText(name),
    safeText(new Date(addedAt).toISOString().slice(0, 10)),
    safeText(removedAfter !== null ? `removed after entry ${removedAfter}` : id === own ? 'this machine' : ''),
  ])
  return layTable(rows, dataColumns(io))
}

async function join(typed: string, { codeFd }: CodeFlags, io: Io): Promise<void> {
  const home = openHome(io.home === undefined ? undefined : resolve(io.cwd, io.home))
  if ((await controlService(home, { do: 'status' }).catch(() => 'running')) !== undefined)
    throw new CountersignError('CS_SERVICE', 'a service uses this home; run `countersign stop` first')
  const address = await addressOf(typed, io)
  const joined = await withCode(codeFd, io, 'the code is shown only on a terminal', (terminal, given) => {
    const code = given ?? newJoinCode()
    return joinStore(home, address, { code, onAsked: () => tellCode(code, given === undefined ? terminal : null, io) })
  })
  if (io.json) return printJson(io, { home: home.dir, journal: joined.journal, gates: joined.gates })
  print(io, `joined the journal ${joined.journal}`)
  for (const line of table(joined, openGateKey(home).keyId, io)) print(io, line)
}

function tellCode(code: string, terminal: Terminal | null, io: Io): void {
  terminal?.write(
    `\nOn a machine that uses this store, run \`countersign gates admit\` within 10 minutes, and type\n\n    ${code}\n\n`,
  )
  say(io, 'waiting to be admitted; press Ctrl+C to cancel')
}

async function admit({ codeFd }: CodeFlags, io: Io): Promise<void> {
  await withCode(codeFd, io, 'the code is typed on a terminal', async (terminal, given) => {
    const typed = given ?? (await askOn(terminal))
    await withGates(io, async (gates) => {
      const { id, name } = await gates.admit(typed)
      if (io.json) return printJson(io, { admitted: id, name })
      print(io, `admitted ${safeText(name)} (${shortId(id)}); its gates can hold and run calls, and sign the journal`)
    })
  })
}

async function askOn(terminal: Terminal | null): Promise<string> {
  const typed =
    terminal === null ? null : await askHidden(terminal, 'code of the new machine (not shown): ', (text) => text)
  if (typed === null || typed === undefined || typed.trim() === '')
    throw new CountersignError('CS_GATES', 'no code entered; nobody was admitted')
  return typed
}

function remove(typed: string, io: Io): Promise<void> {
  return withGates(io, async (gates, own) => {
    const ids = gates.list().gates.flatMap(({ id, removedAfter }) => (removedAfter === null ? [id] : []))
    const id = idOf(typed, ids, { what: 'machine', list: 'countersign gates list', code: 'CS_GATES' })
    if (id === own)
      throw new CountersignError('CS_GATES', 'this machine can’t remove itself; run the command on another one')
    await gates.remove(id)
    if (io.json) return printJson(io, { removed: id })
    print(io, `removed ${shortId(id)}: what it signs from now on does not count`)
    say(io, 'it can still read the store; take away its access to the database too')
  })
}

/** The gates of this home's store. */
async function withGates(io: Io, work: (gates: FollowedGates, own: string) => Promise<void>): Promise<void> {
  const home = existingHome(io)
  const { store, gates } = await openHomeStore(home, { crypto: openCrypto(home) })
  try {
    if (gates === undefined)
      throw new CountersignError(
        'CS_GATES',
        'this home’s store is on this machine alone; to share one, see `countersign gates --help`',
      )
    await work(gates, openGateKey(home).keyId)
  } finally {
    await store.close()
  }
}

/** SECURITY: A2 the code is shown and typed on the terminal itself, or passed by a file descriptor that a person connects. */
async function withCode<T>(
  fd: string | undefined,
  io: Io,
  otherwise: string,
  work: (terminal: Terminal | null, given: string | undefined) => Promise<T>,
): Promise<T> {
  if (fd !== undefined)
    return work(null, readLine(fd === '0' ? 0 : wholeNumber('--code-fd', fd, 1_048_575), '--code-fd'))
  const terminal = io.terminal()
  if (terminal === null)
    throw new CountersignError('CS_NO_INTERFACE', `${otherwise}; run this command in one, or use \`--code-fd\``)
  try {
    return await work(terminal, undefined)
  } finally {
    terminal.close()
  }
}
