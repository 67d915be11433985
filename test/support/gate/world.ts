import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createGate,
  type Decision,
  type Desk,
  type Gate,
  type GateOptions,
  type HeldCallView,
  openView,
  type Ports,
  type Receipt,
  signDecision,
} from '@countersign/core'
import {
  builtinCheckers,
  type Home,
  type LocalApprover,
  openApprover,
  openHome,
  openPorts,
  placesOf,
} from '@countersign/node'
import { type SimulatedClock, settled, simulatedClock } from '../simulated-clock.ts'
import { until } from '../until.ts'

/** How often an empty list is looked at again. */
const LOOKS = 50

/** A gate on a real store in a temporary folder, with time in the test's hands. */
export interface World {
  readonly gate: Gate
  readonly desk: Desk
  newSession(): Promise<Gate>
  readonly clock: SimulatedClock
  readonly ports: Ports
  readonly home: Home
  readonly workspace: string
  readonly approver: LocalApprover
  /** Writes a file into the workspace and returns its path. */
  file(name: string, text: string): string
  /** Lets promises settle, then gives what is held. */
  held(): Promise<readonly HeldCallView[]>
  /** Decides as the local approver. */
  decide(view: HeldCallView, decision: Decision): Promise<Receipt>
  /** Another gate on the same store, as another process would open it. */
  another(
    options?: Partial<GateOptions>,
    wrap?: (ports: Ports) => Ports,
  ): Promise<{ readonly gate: Gate; readonly desk: Desk; readonly ports: Ports }>
  /** The journal's entries, parsed. */
  entries(): Promise<
    readonly { readonly kind: string; readonly call: string | null; readonly [field: string]: unknown }[]
  >
  close(): Promise<void>
}

export interface WorldOptions {
  readonly policy?: string
  readonly options?: Partial<GateOptions>
  /** Puts something between the gate and its ports. */
  readonly wrapPorts?: (ports: Ports) => Ports
  readonly clock?: SimulatedClock
}

export async function openWorld({
  policy,
  options = {},
  wrapPorts = (ports) => ports,
  clock = simulatedClock(),
}: WorldOptions = {}): Promise<World> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-')))
  const workspace = join(root, 'project')
  mkdirSync(workspace)
  const home = openHome(join(root, 'home'))
  if (policy !== undefined) writeFileSync(home.policy, policy, { mode: 0o600 })
  const places = placesOf(home, workspace)
  const approver = openApprover(home, { name: 'ana' })
  const openings: Ports[] = []

  async function open(more: Partial<GateOptions>, wrap = wrapPorts) {
    const managed = { folder: join(root, 'managed'), owner: process.getuid?.() ?? 0 }
    const real = await openPorts(home, places, { managed, clock })
    const ports = wrap(real)
    openings.push(real)
    const checkers = [...builtinCheckers(ports), ...(more.checkers ?? options.checkers ?? [])]
    return { ports, ...(await createGate(ports, { places, session: 'session', ...options, ...more, checkers })) }
  }

  const { gate, desk, newSession, ports } = await open({})
  return {
    gate,
    desk,
    newSession,
    clock,
    ports,
    home,
    workspace,
    approver,
    file(name, text) {
      const path = join(workspace, name)
      writeFileSync(path, text)
      return path
    },
    async held() {
      // Files are looked at by threads of the system, which no count of turns waits for: an empty list is looked at again.
      for (let look = 0; ; look += 1) {
        await settled()
        const views = await desk.list()
        if (views.length > 0 || look === LOOKS) return views
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    },
    decide(view, decision) {
      const signed = signDecision(openView(view, ports.crypto), decision, approver.signer, {
        surface: 'test',
        at: clock.now(),
      })
      return desk.decide(view.id, signed)
    },
    another: (more = {}, wrap = wrapPorts) => open(more, wrap),
    async entries() {
      const { size } = await ports.store.head()
      const stored = await ports.store.entries(1, size)
      return stored.map((entry) => JSON.parse(entry.line))
    },
    async close() {
      await gate.close().catch(() => {})
      for (const { store } of openings) await store.close().catch(() => {})
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** The one held call, when there is exactly one. */
export async function onlyHeld(world: World): Promise<HeldCallView> {
  let views = await world.held()
  for (let look = 0; views.length === 0 && look < LOOKS; look += 1) views = await world.held()
  const [view] = views
  if (view === undefined || views.length > 1) throw new Error(`expected one held call, found ${views.length}`)
  return view
}

/** What is held at a desk once it is so many: a gate reads files on the way, for which no count of turns waits. */
export function heldAt(desk: Pick<Desk, 'list'>, count = 1): Promise<readonly HeldCallView[]> {
  return until(`${count} held calls`, async () => {
    const views = await desk.list()
    return views.length >= count ? views : undefined
  })
}
