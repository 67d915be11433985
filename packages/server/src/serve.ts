import { asCountersignError, CountersignError, type Ports } from '@countersign/core'
import {
  type ControlAnswer,
  type ControlLine,
  type ServiceStatus,
  serviceSockets,
  takeServiceLock,
} from '@countersign/node'
import { listenControl } from './control/listener.ts'
import type { SignIn } from './deciding/auth/browser-sessions.ts'
import { listenHooks } from './hooks/hook-listener.ts'
import { openNotifications } from './notifications.ts'
import { openAsking } from './open-asking.ts'
import { type Closers, openDeciding } from './open-deciding.ts'
import type { ServiceOptions } from './service-options.ts'

/** A running service. */
export interface Service {
  readonly url: string
  readonly socket: string
  readonly askingPort: number | null
  /** The port for askers in web pages. */
  readonly pagePort: number | null
  /** The port for metrics without a sign-in. */
  readonly metricsPort: number | null
  status(): Promise<ServiceStatus>
  /** A one-time link to the inbox. */
  link(): { readonly link: string; readonly expiresAt: number }
  /** Resolves once it has stopped, for whichever reason. */
  readonly stopped: Promise<void>
  stop(): Promise<void>
}

/**
 * Starts the one service of a home: askers on a socket, deciders on loopback HTTP, never mixed (L8). It is one more
 * process on the store: everything else works without it, and after it dies.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const release = takeServiceLock(options.home)
  if (release === undefined)
    throw new CountersignError('CS_SERVICE', 'a service already runs on this home; see `countersign status`')
  const closers: Closers = [release]
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return await open(options, closers, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function open(options: ServiceOptions, closers: Closers, close: () => Promise<void>): Promise<Service> {
  const deciding = await openDeciding(options, closers)
  const asking = await openAsking(options, deciding, closers)
  const { main, workspaces, feed, signIn, url, now } = deciding
  const publicUrl = options.publicUrl?.origin ?? null
  const startedAt = now()
  const inbox = publicUrl ?? url
  const notifications = openNotifications({ home: options.home, main, inbox, report: options.report ?? (() => {}) })
  closers.push(() => notifications.close())
  const ended = Promise.withResolvers<void>()
  let stopping: Promise<void> | undefined
  const service: Service = {
    url,
    socket: asking.socket,
    askingPort: asking.port,
    pagePort: asking.pagePort,
    metricsPort: deciding.metricsPort,
    stopped: ended.promise,
    link() {
      const { ticket, expiresAt } = signIn.ticket()
      return { link: `${publicUrl ?? url}/#ticket=${ticket}`, expiresAt }
    },
    async status() {
      return {
        version: options.version,
        pid: process.pid,
        startedAt,
        url,
        publicUrl,
        socket: asking.socket,
        askingPort: asking.port,
        pagePort: asking.pagePort,
        metricsPort: deciding.metricsPort,
        askers: asking.connections(),
        workspaces: workspaces.size,
        listed: options.workspaces ?? null,
        streams: feed.listeners,
        ...(await heldNow(main.ports)),
      }
    },
    stop() {
      stopping ??= close().then(ended.resolve, ended.reject)
      return stopping
    },
  }
  const hooks = await listenHooks(serviceSockets(options.home).hooks, options.home, workspaces.joinSession)
  closers.push(() => hooks.close())
  const control = await listenControl(serviceSockets(options.home).control, (line) => answer(line, service, signIn))
  closers.push(() => control.close())
  const watching = setInterval(() => {
    main.ports.store.head().catch((error: unknown) => {
      if (error instanceof CountersignError && error.code === 'CS_STORE_VERSION')
        stopping ??= close().then(() => ended.reject(error), ended.reject)
    })
  }, VERSION_LOOK_MS).unref()
  closers.push(() => clearInterval(watching))
  ended.promise.catch(() => {}) // whoever awaits `stopped` hears of it
  return service
}

/** How long the owner waits for the store. */
const STORE_PATIENCE_MS = 2_000

/** How many calls are held, or why nobody can say. */
async function heldNow({
  clock,
  store,
}: Pick<Ports, 'clock' | 'store'>): Promise<Pick<ServiceStatus, 'held' | 'problem'>> {
  const silent = 'the store does not answer; check the database and the network'
  const late = Promise.withResolvers<never>()
  const cancel = clock.after(STORE_PATIENCE_MS, () => late.reject(new CountersignError('CS_STORE_READ', silent)))
  try {
    const reading = store.calls({ state: 'held', limit: 10_000, unsealed: true })
    const { length } = await Promise.race([reading, late.promise])
    return { held: length, problem: null }
  } catch (error) {
    return { held: null, problem: asCountersignError(error, 'CS_STORE_READ', silent).message }
  } finally {
    cancel()
  }
}

/** How soon a service ends after a newer Countersign updated its store: it could only refuse every call. */
const VERSION_LOOK_MS = 1_000

async function answer(line: ControlLine, service: Service, signIn: SignIn): Promise<ControlAnswer> {
  switch (line.do) {
    case 'status':
      return { status: await service.status() }
    case 'ticket':
      return service.link()
    case 'sign-out':
      return { signedOut: await signIn.leaveAll(({ approver }) => (line.approver ?? approver) === approver) }
    case 'stop':
      setImmediate(() => void service.stop().catch(() => {})) // `stopped` tells what went wrong
      return { stopping: true }
  }
}
