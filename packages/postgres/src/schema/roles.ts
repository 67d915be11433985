import { CountersignError, safeText } from '@countersign/core'
import type { StoreAddress } from '../connection/address.ts'
import { beginWith, send, TIMEOUTS } from '../connection/client.ts'
import { codeOf } from '../connection/postgres-error.ts'
import { tablesOf } from './schema.ts'
import { withClient } from './schema-version.ts'

/**
 * Database roles with no more rights than their part needs. `asker`: machines where agents run. `desk`: machines that also
 * enroll approvers and admit others. `auditor`: reads what the journal has. Only the owner of the tables archives.
 */
export const ROLES = ['asker', 'desk', 'auditor'] as const

/** One of `ROLES`. */
export type Role = (typeof ROLES)[number]

type Rights = { readonly [table: string]: string }

const GATE: Rights = {
  head: 'SELECT, UPDATE (size, frontier, revision, gates)',
  call: 'SELECT, INSERT, UPDATE',
  held: 'SELECT, INSERT, UPDATE, DELETE',
  standing: 'SELECT, INSERT, UPDATE (uses, "revokedAt")',
  counter: 'SELECT, INSERT, UPDATE (amount)',
  // INVARIANT: the journal only grows.
  entry: 'SELECT, INSERT',
  checkpoint: 'SELECT, INSERT',
  span: 'SELECT',
  changed_file: 'SELECT, INSERT, UPDATE, DELETE',
  unrecorded: 'SELECT, INSERT, UPDATE (since), DELETE',
  unseen_scope: 'SELECT, INSERT, UPDATE (everything, "installedSince")',
  applied: 'SELECT, INSERT, DELETE',
  machine: 'SELECT, INSERT, UPDATE (name, until)',
  // Sealed: whoever can write here signs people out, and nobody in.
  shared: 'SELECT, INSERT, UPDATE (value, until), DELETE',
}

const RIGHTS: Readonly<Record<Role, Rights>> = {
  // A request to join is proven by a code: leaving one gives nobody anything.
  asker: { ...GATE, gate_list: 'SELECT', gate_request: 'SELECT, INSERT, DELETE' },
  desk: { ...GATE, gate_list: 'SELECT, INSERT', gate_request: 'SELECT, INSERT, UPDATE (answer), DELETE' },
  auditor: { head: 'SELECT', entry: 'SELECT', span: 'SELECT', checkpoint: 'SELECT', gate_list: 'SELECT' },
}

/** The name of a role in the database: one set for each tenant. */
export function roleName({ schema }: StoreAddress, role: Role): string {
  return `${schema}_${role}`
}

/** The statements that create the roles if they are missing, and give them exactly these rights. */
export function roleStatements(address: StoreAddress): readonly string[] {
  const table = tablesOf(address.schema)
  return ROLES.flatMap((role) => {
    const name = `"${roleName(address, role)}"`
    return [
      `DO $$ BEGIN CREATE ROLE ${name} NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
      `REVOKE ALL ON ALL TABLES IN SCHEMA "${address.schema}" FROM ${name}`,
      `GRANT USAGE ON SCHEMA "${address.schema}" TO ${name}`,
      ...Object.entries(RIGHTS[role]).map(([of, rights]) => `GRANT ${rights} ON ${table(of)} TO ${name}`),
    ]
  })
}

/** Creates the roles and their rights, all or nothing. Needs the owner of the tables, who may create roles. */
export function makeRoles(address: StoreAddress): Promise<readonly string[]> {
  return withClient(address, async (client) => {
    const texts = [beginWith('', TIMEOUTS), ...roleStatements(address), 'COMMIT']
    const answers = await send(
      client,
      texts.map((text) => ({ text })),
      TIMEOUTS,
    ).catch((error: unknown) => {
      throw codeOf(error) === LACKS_PERMISSION ? notAllowed(address, error) : error
    })
    if (answers.at(-1)?.command !== 'COMMIT') throw new Error('the roles were not created')
    return ROLES.map((role) => roleName(address, role))
  })
}

const LACKS_PERMISSION = '42501'

function notAllowed({ user }: StoreAddress, cause: unknown): CountersignError {
  return new CountersignError(
    'CS_STORE_OPEN',
    `\`${safeText(user)}\` may not create roles here: it must own the tables and have CREATEROLE; or give a database administrator what \`countersign store roles --print\` prints`,
    { cause },
  )
}
