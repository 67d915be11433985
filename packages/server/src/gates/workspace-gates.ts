import { sep } from 'node:path'
import {
  asCountersignError,
  CountersignError,
  type Desk,
  type Gate,
  type GateEvent,
  type GateListener,
} from '@countersign/core'
import type { JoinedAgent, WaitingAgent } from '@countersign/hosts'
import { type Home, type OpenedGate, type OpenOptions, openGate, openWorkspace } from '@countersign/node'
import { createReturningAskers, type ResumedSession } from './returning-askers.ts'

/** Workspaces open at once. INVARIANT: L10. */
const MAX_WORKSPACES = 64
/** An unused workspace is closed after this time. */
const IDLE_MS = 60_000

/**
 * One gate per workspace that clients name: a project's policy belongs to its folder. Each has its own connection to the
 * store, as another process would, so that each sees what the others write.
 */
export interface Workspaces {
  /** Opens a session for one client; closing its handle releases the workspace. */
  newSession(workspace: string): Promise<Gate>
  /** Opens or takes up the session of an asker who can come back. Its last connection leaves it, and ends it a while later. */
  resumeSession(workspace: string, session: string): Promise<ResumedSession>
  /** Takes part in a session of a coding agent; `leave` must be called. */
  joinSession(agent: WaitingAgent): Promise<JoinedAgent>
  /** Uses a workspace's gate for one piece of work, without a session. */
  use<T>(workspace: string, work: (gate: Gate) => Promise<T>): Promise<T>
  /** The deciding handle of the gate where somebody waits for a call in this process: waking them is then immediate. */
  deskOf(callId: string): Desk | undefined
  /** Whether a session of this id lives here. */
  hasSession(session: string): boolean
  readonly size: number
  /** The workspace that an asker named last. */
  readonly latest: string | undefined
  close(): Promise<void>
}

interface Room {
  readonly opened: Promise<OpenedGate>
  users: number
  idle: ReturnType<typeof setTimeout> | undefined
}

/** All but what a call was found to be: it is told to nobody, and freezing it takes time of every call. */
const TOLD: readonly GateEvent['kind'][] = [
  ...(['notice', 'held', 'decided', 'decision-refused', 'started', 'ended', 'refused'] as const),
  ...(['policy-changed', 'problem'] as const),
]

/** Opens no workspace yet. `listener` gets the events of all; an unused one is closed after `idleMs`. */
export function openWorkspaces(
  home: Home,
  options: Pick<OpenOptions, 'bounds' | 'managed' | 'checkers' | 'clock' | 'telemetry'>,
  listener: GateListener,
  idleMs: number = IDLE_MS,
): Workspaces {
  const rooms = new Map<string, Room>()
  const shutting = new Set<Promise<void>>()
  const holders = createHolders()
  const sessions = new Set<string>()
  const returning = createReturningAskers()
  let latest: string | undefined

  async function open(workspace: string): Promise<OpenedGate> {
    const opened = await openGate({ ...options, home, workspace, session: 'none', observer: true, tier: 'T1' })
    opened.gate.subscribe(listener, TOLD)
    return opened
  }

  async function enter(given: string): Promise<{ readonly opened: OpenedGate; leave(): void }> {
    const workspace = openWorkspace(given)
    if (`${workspace}${sep}`.startsWith(`${home.dir}${sep}`))
      throw new CountersignError(
        'CS_WORKSPACE',
        'the workspace may not be in the gate’s home; name the project’s folder',
      )
    const room = rooms.get(workspace) ?? (await makeRoom(workspace))
    room.users += 1
    clearTimeout(room.idle)
    let left = false
    const leave = (): void => {
      if (left) return
      left = true
      room.users -= 1
      if (room.users === 0) room.idle = setTimeout(() => letGoOf(workspace, room), idleMs).unref()
    }
    try {
      return { opened: await room.opened, leave }
    } catch (error) {
      leave()
      if (rooms.get(workspace) === room) rooms.delete(workspace)
      throw error
    }
  }

  async function makeRoom(workspace: string): Promise<Room> {
    if (rooms.size >= MAX_WORKSPACES) {
      const unused = [...rooms].find(([, room]) => room.users === 0)
      if (unused === undefined)
        throw new CountersignError('CS_QUEUE_FULL', `${MAX_WORKSPACES} workspaces are in use; stop some agents first`)
      letGoOf(...unused)
    }
    const room: Room = { opened: open(workspace), users: 0, idle: undefined }
    room.opened.catch(() => {}) // whoever enters hears of it
    rooms.set(workspace, room)
    return room
  }

  async function shut(workspace: string, room: Room): Promise<void> {
    if (rooms.get(workspace) === room) rooms.delete(workspace)
    clearTimeout(room.idle)
    const opened = await room.opened.catch(() => undefined)
    await opened?.gate.close()
  }

  /** Shuts in the background. A failure is a problem to report, never the end of the service. */
  function letGoOf(workspace: string, room: Room): void {
    const done = shut(workspace, room)
      .catch((error: unknown) => {
        const { code, message } = asCountersignError(error, 'CS_STORE_WRITE', 'cannot close a workspace')
        listener({ kind: 'problem', code, message })
      })
      .finally(() => shutting.delete(done))
    shutting.add(done)
  }

  return {
    async newSession(workspace) {
      const { opened, leave } = await enter(workspace)
      latest = opened.places.workspace
      try {
        const gate = await opened.newSession()
        const session = gate.session ?? ''
        sessions.add(session)
        return {
          ...gate,
          ask: (call, signal) => holders.during(call.id, opened.desk, () => gate.ask(call, signal)),
          wait: (ticket, signal) => holders.during(ticket.callId, opened.desk, () => gate.wait(ticket, signal)),
          async close() {
            sessions.delete(session)
            await gate.close()
            leave()
          },
        }
      } catch (error) {
        leave()
        throw error
      }
    },
    async resumeSession(workspace, session) {
      const { opened, leave } = await enter(workspace)
      latest = opened.places.workspace
      try {
        const { desk } = opened
        const resumed = await returning.enter(session, () => opened.resumeSession(session), leave)
        return {
          ...resumed,
          ask: (call, signal) => holders.during(call.id, desk, () => resumed.ask(call, signal)),
          askAgain: (call, signal) => holders.during(call.id, desk, () => resumed.askAgain(call, signal)),
          wait: (ticket, signal) => holders.during(ticket.callId, desk, () => resumed.wait(ticket, signal)),
        }
      } catch (error) {
        leave()
        throw error
      }
    },
    async joinSession({ id, owner, workspace, waiter }) {
      const { opened, leave } = await enter(workspace)
      latest = opened.places.workspace
      const joined = opened.joinSession(id, owner, waiter)
      const { crypto } = opened.ports
      return {
        host: {
          ...joined.host,
          ask(call, options) {
            const callId = call.id ?? crypto.randomId()
            return holders.during(callId, opened.desk, () => joined.host.ask({ ...call, id: callId }, options))
          },
        },
        async leave() {
          joined.leave()
          leave()
        },
      }
    },
    async use(workspace, work) {
      const { opened, leave } = await enter(workspace)
      try {
        return await work(opened.gate)
      } finally {
        leave()
      }
    },
    deskOf: holders.deskOf,
    hasSession: (session) => sessions.has(session) || returning.has(session),
    get size() {
      return rooms.size
    },
    get latest() {
      return latest
    },
    async close() {
      returning.close()
      await Promise.all([...shutting, ...[...rooms].map(([workspace, room]) => shut(workspace, room))])
    },
  }
}

/**
 * Who waits for which call in this process. INVARIANT: a desk is named only while an asker's session waits through it,
 * and a workspace stays open as long as it has a session: no desk named here is closed, and nothing is left behind.
 */
function createHolders() {
  const desks = new Map<string, Desk[]>()

  function forget(callId: string, desk: Desk): void {
    const left = desks.get(callId) ?? []
    left.splice(left.indexOf(desk), 1)
    if (left.length === 0) desks.delete(callId)
  }

  return {
    /** Who came first has the call: whoever names the same id later is refused by its gate. */
    deskOf: (callId: string): Desk | undefined => desks.get(callId)?.[0],
    async during<T>(callId: string | undefined, desk: Desk, wait: () => Promise<T>): Promise<T> {
      if (callId === undefined) return wait()
      const before = desks.get(callId)
      if (before === undefined) desks.set(callId, [desk])
      else before.push(desk)
      try {
        return await wait()
      } finally {
        forget(callId, desk)
      }
    },
  }
}
