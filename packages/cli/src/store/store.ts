import { resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import { loadPostgres, openHome, readStoreSetting } from '@countersign/node'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { existingHome } from '../home/existing-home.ts'
import { nested } from '../nested-command.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { checkStore } from './check-store.ts'
import { copyTo } from './copy.ts'
import { addressOf } from './store-address.ts'
import { useStore } from './use-store.ts'

const EXAMPLE = 'postgres://gate@db.example/countersign'
const ADDRESS = '`postgres://…`; `-` reads it from stdin, so that the password is in no program’s arguments'
const PLACE = `${ADDRESS}; \`sqlite\` is the file in the home`

/** `countersign store`: where the home keeps held calls, grants and journal. */
export const command: Subcommand = {
  name: 'store',
  summary: 'keep the store on PostgreSQL: check, migrate, copy, use, roles',
  define(command, io) {
    addExamples(command, [
      ['countersign store check', 'show where this home’s store is, and whether it works'],
      [`countersign store migrate ${EXAMPLE}`, 'create the tables, or update them'],
      [`countersign store copy ${EXAMPLE}`, 'copy the store of this home there, with its journal'],
      [`countersign store use ${EXAMPLE}`, 'use it for this home'],
    ])
    const checking = nested(command, 'check', 'connect to a store, and show its version, size and replication')
    addExamples(checking, [['countersign store check', 'the store of this home']])
    checking
      .argument('[address]', `${ADDRESS} (default: the store of this home)`)
      .action((typed: string | undefined) => checkStore(typed, io))
    const migrating = nested(command, 'migrate', 'create the tables of a store, or update them')
    addExamples(migrating, [[`countersign store migrate ${EXAMPLE}`, 'needs a role that may create tables']])
    migrating
      .argument('[address]', `${ADDRESS} (default: the store of this home)`)
      .action((typed: string | undefined) => migrate(typed, io))
    const granting = nested(command, 'roles', 'create database roles with least rights: asker, desk, auditor')
    addExamples(granting, [[`countersign store roles --print ${EXAMPLE}`, 'for a database administrator to run']])
    granting
      .argument('[address]', `${ADDRESS} (default: the store of this home)`)
      .option('--print', 'print the statements instead of running them')
      .action((typed: string | undefined, flags: { readonly print?: boolean }) => roles(typed, flags, io))
    const copying = nested(command, 'copy', 'copy the store of this home into an empty one, with everything in it')
    addExamples(copying, [
      [`countersign store copy ${EXAMPLE}`, 'then run `countersign store use` with this address'],
      ['countersign store copy sqlite', 'back to the file in the home'],
    ])
    copying.argument('<address>', PLACE).action((typed: string) => copyTo(typed, io))
    const using = nested(command, 'use', 'choose the store of this home')
    addExamples(using, [['countersign store use - < address.txt', 'the address from a file']])
    using.argument('<address>', PLACE).action((typed: string) => use(typed, io))
  },
}

async function migrate(typed: string | undefined, io: Io): Promise<void> {
  const address = await sharedAddress(typed, io)
  const { migrateSchema, parseStoreAddress } = await loadPostgres()
  const parsed = parseStoreAddress(address)
  const { kind, from, to } = await migrateSchema(parsed)
  if (io.json) return printJson(io, { store: parsed.shown, migrated: kind, from, to })
  const done = {
    created: 'created the tables',
    migrated: `updated the tables from version ${from}`,
    current: 'up to date',
  }
  print(io, `${parsed.shown}: ${done[kind]} (version ${to})`)
}

async function sharedAddress(typed: string | undefined, io: Io): Promise<string> {
  const address = typed === undefined ? readStoreSetting(existingHome(io)) : await addressOf(typed, io)
  if (address !== null) return address
  throw new CountersignError(
    'CS_USAGE',
    `this home uses SQLite, which updates itself; pass an address such as \`${EXAMPLE}\``,
  )
}

async function roles(typed: string | undefined, flags: { readonly print?: boolean }, io: Io): Promise<void> {
  const address = await sharedAddress(typed, io)
  const { makeRoles, parseStoreAddress, roleStatements } = await loadPostgres()
  const parsed = parseStoreAddress(address)
  if (flags.print === true) {
    for (const text of roleStatements(parsed)) print(io, `${safeText(text)};`)
    return
  }
  const made = await makeRoles(parsed)
  if (io.json) return printJson(io, { store: parsed.shown, roles: made })
  print(io, `roles: ${made.map(safeText).join(', ')}`)
  say(io, 'give one of them to each login, such as `GRANT countersign_asker TO builder`')
}

async function use(typed: string, io: Io): Promise<void> {
  const home = openHome(io.home === undefined ? undefined : resolve(io.cwd, io.home))
  const done = await useStore(home, await addressOf(typed, io))
  if (io.json) return printJson(io, { home: home.dir, store: done })
  print(io, done === 'set' ? `${safeText(home.dir)} now uses this store` : 'this home uses this store already')
}
