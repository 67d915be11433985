import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createGate,
  type Decision,
  type Desk,
  type Gate,
  type HeldCallView,
  openView,
  type Ports,
  type Receipt,
  signDecision,
  verifyJournal,
} from '@countersign/core'
import { type Home, openApprover, openHome, openPorts, placesOf, writeStoreSetting } from '@countersign/node'
import { migrateSchema, type PostgresStore, parseStoreAddress } from '@countersign/postgres'
import { expect, onTestFinished } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'

/** One call that runs unasked, and one that a person decides. */
export const POLICY = `version: 1
defaults: { timeout: 5m }
rules:
  - { id: free, tool: free_thing, supervision: automatic }
  - { id: asked, tool: asked_thing, supervision: confirm }
`

/** The same path on every machine. */
const WORKSPACE = realpathSync(tmpdir())

/** A home on a store of its own, with an approver. */
export async function homeOn(address: string, policy = POLICY): Promise<Home> {
  const root = temporaryFolder()
  mkdirSync(join(root, 'project'))
  const home = openHome(join(root, 'home'))
  writeFileSync(home.policy, policy, { mode: 0o600 })
  openApprover(home, { name: 'ana' })
  await migrateSchema(parseStoreAddress(address))
  writeStoreSetting(home, address)
  return home
}

/** The same home on another machine, which reaches the store at another address. */
export function homeElsewhere(home: Home, address: string): Home {
  const dir = join(temporaryFolder(), 'home')
  cpSync(home.dir, dir, { recursive: true })
  const copy = openHome(dir)
  writeStoreSetting(copy, address)
  return copy
}

/** The ports of a machine with a name and a lease of its own. */
export async function asMachine(id: string, leaseMs: number, ports: Ports): Promise<Ports> {
  const { store } = ports
  if (!('lease' in store)) throw new Error('machines need a store on PostgreSQL')
  const lease = await (store as PostgresStore).lease({ id, name: id }, leaseMs)
  const self = ports.owners.self.replace(/@.*/, `@${id}`)
  const isAlive = (owner: string) => owner === self || lease.isAlive(owner.slice(owner.lastIndexOf('@') + 1))
  return { ...ports, owners: { self, isAlive } }
}

/** A gate on the real clock, in this process. */
export interface Machine {
  readonly gate: Gate
  readonly desk: Desk
  readonly ports: Ports
  decide(view: HeldCallView, decision: Decision): Promise<Receipt>
}

/** Opens a gate on a home, with other ports where `wrap` changes them. It is closed when the test ends. */
export async function openMachine(
  home: Home,
  wrap: (ports: Ports) => Ports | Promise<Ports> = (ports) => ports,
): Promise<Machine> {
  const places = placesOf(home, WORKSPACE)
  const real = await openPorts(home, places, {
    managed: { folder: join(home.dir, '../managed'), owner: process.getuid?.() ?? 0 },
  })
  onTestFinished(() => real.store.close())
  const ports = await wrap(real)
  const { gate, desk } = await createGate(ports, { places, session: 'session' })
  onTestFinished(() => gate.close().catch(() => {}))
  const { signer } = openApprover(home, { name: 'ana' })
  return {
    gate,
    desk,
    ports,
    decide(view, decision) {
      const opened = openView(view, real.crypto)
      return desk.decide(view.id, signDecision(opened, decision, signer, { surface: 'test', at: Date.now() }))
    },
  }
}

/** The journal of the machines is whole, and longer than every head that they signed. */
export async function expectVerified({ store, crypto, signer, heads }: Ports): Promise<void> {
  const verdict = await verifyJournal(store, { crypto, publicKeys: [signer.publicKey], kept: await heads.kept() })
  expect(verdict).toMatchObject({ kind: 'intact' })
}

/** The kinds of the entries of a call, in their order. */
export async function stepsOf({ store }: Ports, call: string): Promise<readonly string[]> {
  return (await store.entriesOf(call)).map(({ line }) => String(JSON.parse(line).kind))
}
