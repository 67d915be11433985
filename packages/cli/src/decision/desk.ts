import { createGate, type Desk, type Ports } from '@countersign/core'
import { type Home, openPorts, placesOf } from '@countersign/node'
import { existingHome } from '../home/existing-home.ts'
import type { Io } from '../terminal/io.ts'

/** The deciding side of a store, from any terminal. */
export interface OpenDesk {
  readonly desk: Desk
  readonly home: Home
  readonly ports: Ports
  close(): Promise<void>
}

/** Opens the desk of the home. It judges nothing, so it needs no workspace and works from any folder. */
export async function openDesk(io: Io): Promise<OpenDesk> {
  const home = existingHome(io)
  const places = placesOf(home, home.dir)
  const ports = await openPorts(home, places)
  const { gate, desk } = await createGate(ports, { places, session: 'none', observer: true })
  return { desk, home, ports, close: () => gate.close() }
}

/** Opens the desk, does one thing with it, and lets go of it whatever happens. */
export async function withDesk<T>(io: Io, use: (desk: Desk, open: OpenDesk) => Promise<T>): Promise<T> {
  const open = await openDesk(io)
  try {
    return await use(open.desk, open)
  } finally {
    await open.close()
  }
}
