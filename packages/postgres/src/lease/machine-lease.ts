import type { Answer, Statement } from '../connection/client.ts'
import { stored, text } from '../read/values.ts'
import type { Table } from '../schema/schema.ts'

/** One machine with gates on a store: one boot, and one set of process numbers. */
export interface Machine {
  /** Differs between machines, between boots, and between containers. */
  readonly id: string
  /** For people. */
  readonly name: string
}

/** The leases of machines on the server's clock, as far as this process knows. */
export interface MachineLease {
  /** False only when the lease of a machine has certainly ended. */
  isAlive(machine: string): boolean
  /** Renews the own lease and reads the others now. */
  renew(): Promise<void>
  close(): void
}

export interface LeaseOptions {
  readonly table: Table
  readonly machine: Machine
  run(statements: readonly Statement[]): Promise<readonly Answer[]>
  readonly leaseMs?: number
  /** Called after each renewal. */
  renewed?(): Promise<void>
}

/** A machine that was cut off this long may be taken for dead. */
const LEASE_MS = 60_000
/** So many renewals fit into a lease: single failures are harmless. */
const RENEWALS = 4

/**
 * Takes a lease for this machine and keeps it. INVARIANT: it is taken before any row names this machine, so a process on
 * another machine never takes one of ours for dead while the lease lives.
 */
export async function openLease({
  table,
  machine,
  run,
  renewed,
  leaseMs = LEASE_MS,
}: LeaseOptions): Promise<MachineLease> {
  const ended = new Set<string>()
  const own = stored(machine.id)
  const statements: readonly Statement[] = [
    {
      name: 'lease',
      text:
        `INSERT INTO ${table('machine')} AS machine VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms') ` +
        'ON CONFLICT (id) DO UPDATE SET until = greatest(machine.until, excluded.until), name = excluded.name',
      values: [own, stored(machine.name), leaseMs],
    },
    {
      name: 'ended',
      text: `SELECT id FROM ${table('machine')} WHERE until < clock_timestamp() AND id <> $1`,
      values: [own],
    },
  ]

  async function renew(): Promise<void> {
    const [, answer] = await run(statements)
    const now = new Set((answer?.rows ?? []).map((row) => text(row, 'id')))
    ended.clear()
    for (const id of now) ended.add(id)
    await renewed?.()
  }

  await renew()
  // Without an answer, everyone stays as alive as they were.
  const timer = setInterval(() => void renew().catch(() => {}), leaseMs / RENEWALS)
  timer.unref()
  return { isAlive: (id) => id === machine.id || !ended.has(id), renew, close: () => clearInterval(timer) }
}
