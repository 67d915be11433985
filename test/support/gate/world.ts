import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import {
  createGate,
  type Decision,
  type Desk,
  type Gate,
  type GateOptions,
  type HeldCallView,
  type JoinedSession,
  openView,
  type Ports,
  type Receipt,
  type ResumableGate,
  type Sandbox,
  signDecision,
} from '@countersign/core'
import {
  builtinCheckers,
  type Home,
  type LocalApprover,
  openApprover,
  openHome,
  openPorts,
  openTargets,
  placesOf,
} from '@countersign/node'
import { type SimulatedClock, settled, simulatedClock } from '../simulated-clock.ts'
import { placeStore } from '../store/test-store.ts'
import { awaited, watched } from '../store/work-under-way.ts'
import { until } from '../until.ts'

/** Calls of a world run no real commands, so it needs no real sandbox. */
const WORKS: Sandbox = { status: () => ({ kind: 'works', name: 'bubblewrap' }) }

/** Without the folders that npm adds: a checkout may be where the gate distrusts programs, such as below /tmp. */
const SYSTEM_PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('/node_modules/'))
  .join(delimiter)

/** How often an empty list is read again. */
const LOOKS = 50

/** A gate on a real store in a temporary folder, with a simulated clock. */
export interface World {
  readonly gate: Gate
  readonly desk: Desk
  newSession(): Promise<Gate>
  resumeSession(session: string): Promise<ResumableGate>
  /** Takes part in a session of a coding agent. */
  joinSession(session: string, owner: string): JoinedSession
  readonly clock: SimulatedClock
  readonly ports: Ports
  readonly home: Home
  readonly workspace: string
  readonly approver: LocalApprover
  /** Writes a file into the workspace and returns its path. */
  file(name: string, text: string): string
  /** Settles promises, then returns the held calls. */
  held(): Promise<readonly HeldCallView[]>
  /** Decides as the local approver. */
  decide(view: HeldCallView, decision: Decision): Promise<Receipt>
  /** Another gate on the same store, like another process. */
  another(
    options?: Partial<GateOptions>,
    wrap?: (ports: Ports) => Ports,
  ): Promise<{ readonly gate: Gate; readonly desk: Desk; readonly ports: Ports } & Pick<World, 'joinSession'>>
  /** The parsed entries of the journal. */
  entries(): Promise<
    readonly { readonly kind: string; readonly call: string | null; readonly [field: string]: unknown }[]
  >
  close(): Promise<void>
}

export interface WorldOptions {
  readonly policy?: string
  readonly options?: Partial<GateOptions>
  /** Wraps the ports of the gate. */
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
  await placeStore(home)
  const places = placesOf(home, workspace)
  const approver = openApprover(home, { name: 'ana' })
  const openings: Ports[] = []

  async function open(more: Partial<GateOptions>, wrap = wrapPorts) {
    const managed = { folder: join(root, 'managed'), owner: process.getuid?.() ?? 0 }
    const found = await awaited(openPorts(home, places, { managed, clock, sandbox: WORKS }))
    const real = {
      ...found,
      store: watched(found.store),
      targets: { ...found.targets, program: openTargets({ searchPath: SYSTEM_PATH }).program },
    }
    const ports = wrap(real)
    openings.push(found)
    const checkers = [...builtinCheckers(ports), ...(more.checkers ?? options.checkers ?? [])]
    return { ports, ...(await createGate(ports, { places, session: 'session', ...options, ...more, checkers })) }
  }

  const { gate, desk, newSession, resumeSession, joinSession, ports } = await open({})
  return {
    gate,
    desk,
    newSession,
    resumeSession,
    joinSession,
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
      // Files are read by system threads, which settling promises does not await, so an empty list is read again.
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

/** An owner of calls on this machine whose process is gone. */
export function goneOwner({ owners }: Ports): string {
  return owners.self.replace(/^[^@]*/, '4194303.1.ab')
}

/** The only held call; throws unless there is exactly one. */
export async function onlyHeld(world: World): Promise<HeldCallView> {
  let views = await world.held()
  for (let look = 0; views.length === 0 && look < LOOKS; look += 1) views = await world.held()
  const [view] = views
  if (view === undefined || views.length > 1) throw new Error(`expected one held call, found ${views.length}`)
  return view
}

/** Waits for this number of held calls at a desk: a gate reads files first, which settling promises does not await. */
export function heldAt(desk: Pick<Desk, 'list'>, count = 1): Promise<readonly HeldCallView[]> {
  return until(`${count} held calls`, async () => {
    const views = await desk.list()
    return views.length >= count ? views : undefined
  })
}
