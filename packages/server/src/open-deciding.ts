import { CountersignError } from '@countersign/core'
import { openGate, rememberedPort, rememberPort, systemClock } from '@countersign/node'
import { createDecidingApp } from './deciding/app.ts'
import { cookieName, openCredentials } from './deciding/auth/credentials.ts'
import { isInUse, listenHttp } from './deciding/http/listener.ts'
import { originsOf } from './deciding/http/request-guards.ts'
import { createMonitoringApp } from './deciding/routes/monitoring.ts'
import { createFeed } from './deciding/stream/event-feed.ts'
import { createHeldBoard } from './deciding/stream/held-calls.ts'
import { createTurns } from './gates/fair-queue.ts'
import { createRefusedAttempts } from './gates/refused-attempts.ts'
import { openWorkspaces } from './gates/workspace-gates.ts'
import { createMonitoring, type Monitoring, openTelemetryOf } from './monitoring/monitoring.ts'
import type { ServiceOptions } from './service-options.ts'

/** Resources to close at the end, the last opened first. */
export type Closers = (() => unknown)[]

const USUAL_PORT = 4180
const SWEEP_MS = 5_000

/** Opens the deciding side: the desk that belongs to no workspace, and the listeners on loopback. */
export async function openDeciding(options: ServiceOptions, closers: Closers) {
  const { home, version, bounds, managed, checkers, publicUrl, inbox, quarantine } = options
  const turns = createTurns()
  const { meter, telemetry } = await openTelemetryOf(options.telemetry)
  const policy = {
    clock: { ...systemClock, turn: turns.next },
    telemetry,
    ...(bounds === undefined ? {} : { bounds }),
    ...(managed === undefined ? {} : { managed }),
    ...(checkers === undefined ? {} : { checkers }),
  }
  const main = await openGate({ ...policy, home, workspace: home.dir, session: 'none', observer: true, tier: 'T1' })
  closers.push(() => main.gate.close())
  const { store, crypto, clock } = main.ports
  const now = clock.now
  await main.desk.sweep() // ends the calls that a dead service left, before anyone sees them

  const workspaces = openWorkspaces(home, policy, (event) => feed.heed(event))
  closers.push(() => workspaces.close())
  const board = createHeldBoard(main, workspaces)
  const feed = createFeed(store, board)
  closers.push(() => feed.close())
  const attempts = createRefusedAttempts(store, crypto, now)
  closers.push(() => attempts.close())
  const sweeping = setInterval(() => void main.desk.sweep().catch(() => {}), SWEEP_MS).unref()
  closers.push(() => clearInterval(sweeping))

  const isAsking = options.askingPort !== undefined || options.pages !== undefined
  const { rows, signIn, askingToken, close } = await openCredentials(home, isAsking, main.ports)
  closers.push(close)
  const enrolled = new Set((await main.ports.approvers.list().catch(() => [])).map(({ id }) => id))
  await signIn.leaveAll(({ approver }) => approver !== null && !enrolled.has(approver)) // removed while no service ran
  const known = { home, version, publicUrl, askingToken, rows, quarantine, now }
  const monitoring = createMonitoring(meter, main)
  const shared = { ...known, main, monitoring, board, feed, signIn, attempts, workspaces }
  const http = await listenFree(options, (port) => {
    const local = { id: 'localhost', origin: addressOf(port) }
    const proxy = publicUrl === undefined ? [] : [{ id: publicUrl.hostname, origin: publicUrl.origin }]
    const sites = [local, ...proxy] as const
    const parts = {
      ...shared,
      origins: originsOf(port, publicUrl),
      sites,
      cookie: cookieName(port, publicUrl, main.ports.shared),
    }
    return createDecidingApp(parts, inbox).fetch
  })
  closers.push(() => http.close())
  rememberPort(home, http.port)
  const monitored = await listenMonitoring(options, monitoring, closers)
  const { origins } = originsOf(http.port, publicUrl)
  return {
    main,
    workspaces,
    turns,
    feed,
    signIn,
    attempts,
    askingToken,
    now,
    origins,
    url: addressOf(http.port),
    metricsPort: monitored,
  }
}

/** Opens the listener of `--metrics-port`. SECURITY: L8 it reads numbers, and leads nowhere else. */
async function listenMonitoring(
  { metricsPort }: ServiceOptions,
  monitoring: Monitoring,
  closers: Closers,
): Promise<number | null> {
  if (metricsPort === undefined) return null
  const listener = await listenHttp(metricsPort, (port) => createMonitoringApp(monitoring, port).fetch).catch(
    (cause: unknown) => {
      throw new CountersignError(
        'CS_SERVICE',
        `can't listen on port ${metricsPort} for metrics; choose another \`--metrics-port\``,
        { cause },
      )
    },
  )
  closers.push(() => listener.close())
  return listener.port
}

/** The inbox's address on this machine, as browsers write it. */
function addressOf(port: number): string {
  return new URL(`http://localhost:${port}`).origin
}

/** The port that was asked for or remembered; only before there is one is another than the usual taken. */
async function listenFree({ home, port }: ServiceOptions, fetchFor: Parameters<typeof listenHttp>[1]) {
  const wanted = port ?? rememberedPort(home)
  try {
    return await listenHttp(wanted ?? USUAL_PORT, fetchFor)
  } catch (error) {
    if (!isInUse(error))
      throw new CountersignError('CS_SERVICE', 'the inbox cannot listen on loopback; choose another `--port`', {
        cause: error,
      })
    if (wanted === undefined) return listenHttp(0, fetchFor)
    throw new CountersignError(
      'CS_SERVICE',
      `port ${wanted} is taken by another program; free it or choose another with \`--port\``,
      {
        cause: error,
      },
    )
  }
}
