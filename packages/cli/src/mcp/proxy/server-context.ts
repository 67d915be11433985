import { join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import {
  type Bounds,
  CountersignError,
  draftEntry,
  type EntryBody,
  type Gate,
  type Json,
  type JsonObject,
  safeText,
} from '@countersign/core'
import {
  type Bearer,
  type Catalogue,
  type CatalogueNote,
  type CatalogueOptions,
  compileDenied,
  contactServer,
  createCatalogue,
  createGatekeeper,
  type Gatekeeper,
  type HoldOptions,
  isPlainUrl,
  openStoredBearer,
  readServerUrl,
  serverIdentity,
  URL_VARIABLE,
} from '@countersign/mcp'
import { accountHome, type Home, type OpenedGate, openGate, openOwnFolder, openWorkspace } from '@countersign/node'
import { homeFlag } from '../../home/inbox-address.ts'
import { ownTelemetry } from '../../home/own-telemetry.ts'
import { type Io, say } from '../../terminal/io.ts'
import { personOutput } from './client-streams.ts'
import { heldCallLink, tellHeld, tellPolicyProblems, tellQuarantined } from './notices.ts'

/** A server: the command that starts it, or its URL with the headers it needs. */
export type ServerPlace =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string; readonly headers: { readonly [name: string]: string } }

/** A server to run behind the gate, and how. */
export interface ServeOptions {
  readonly server: ServerPlace
  readonly label: string
  readonly hold: HoldOptions
  readonly denied: readonly string[]
  readonly workspace?: string
  /** The sandbox to run the server in; absent: outside. */
  readonly contain?: Bounds
  /** Whether the client shows its user where a call is held. */
  readonly elicit: 'off' | 'show'
}

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export const MAX_LINE_BYTES = 64 * 1024 * 1024

/** What all clients of one server share. */
export interface ServerContext {
  /** The command's streams; writing to its stderr never blocks. */
  readonly io: Io
  /** Where the server's stderr goes; undefined: to ours. */
  readonly serverStderr: Writable | undefined
  readonly opened: OpenedGate
  /** The tools of the server as one client sees them. */
  newCatalogue(): Catalogue
  /** A gatekeeper for one client, in its own session. */
  gatekeeper(gate: Gate, catalogue: Catalogue): Gatekeeper
}

/** Opens the gate for a server while `work` runs. */
export async function withServerContext(
  options: ServeOptions,
  given: Io,
  work: (context: ServerContext) => Promise<void>,
): Promise<void> {
  const output = personOutput(given)
  const io: Io = { ...given, stderr: output.stderr }
  try {
    await withGate(options, io, (context) => work({ ...context, io, serverStderr: output.server }))
  } finally {
    await output.close()
  }
}

async function withGate(
  options: ServeOptions,
  io: Io,
  work: (context: Omit<ServerContext, 'io' | 'serverStderr'>) => Promise<void>,
): Promise<void> {
  const home = io.home === undefined ? {} : { home: resolve(io.cwd, io.home) }
  const workspace = serverWorkspace(options.workspace, io.cwd)
  const opened = await openGate({ tier: 'T1', workspace, ...home, ...(await ownTelemetry()) })
  const journal = openRecord(opened, io)
  try {
    await tellPolicyProblems(opened, io)
    const { server } = options
    const address = 'url' in server ? { url: server.url } : { command: [server.command, ...server.args] }
    const tellNote = tellQuarantined(options.label, opened.home, io)
    const catalogueOptions: CatalogueOptions = {
      home: opened.home,
      label: options.label,
      server: serverIdentity(address, opened.ports.crypto, io.cwd),
      crypto: opened.ports.crypto,
      now: opened.ports.clock.now,
      report(note) {
        journal.record(noteEntry(note, options.label))
        tellNote(note)
      },
    }
    const met = contactServer(catalogueOptions)
    const gatekeeper = (gate: Gate, catalogue: Catalogue): Gatekeeper =>
      createGatekeeper({
        gate,
        server: options.label,
        catalogue,
        cwd: io.cwd,
        newId: opened.ports.crypto.randomId,
        hold: options.hold,
        ...(options.denied.length === 0 ? {} : { isDenied: compileDenied(options.denied) }),
        record: journal.record,
        onHeld: (callId) => void tellHeld(callId, opened, io),
        ...(options.elicit === 'show' ? { showHeld: (callId) => heldCallLink(callId, opened) } : {}),
      })
    await work({ opened, newCatalogue: () => createCatalogue(catalogueOptions, met), gatekeeper })
  } finally {
    await journal.settled()
    await opened.gate.close()
  }
}

/** Looks up the definition of a tool that a person accepted. */
export function definitionsOf(catalogue: Catalogue): (tool: string) => Json | null {
  return (tool) => {
    const standing = catalogue.find(tool)
    return standing.kind === 'accepted' ? standing.tool.definition : null
  }
}

/** The stored sign-in for this server, if there is one; otherwise the person is told how to make one. */
export function serverBearer(address: string, { opened, io }: Pick<ServerContext, 'opened' | 'io'>): Bearer | null {
  return openStoredBearer({
    home: opened.home,
    crypto: opened.ports.crypto,
    url: readServerUrl(address),
    command: signInCommand(address, opened.home),
    say: (advice) => say(io, `countersign: ${safeText(advice)}`),
  })
}

/** SECURITY: A32 this text reaches the client, its log and a model, so a URL that may contain a secret is left out. */
function signInCommand(address: string, home: Home): string {
  const { href } = readServerUrl(address)
  const where = isPlainUrl(href) ? ` ${href}` : ''
  const variable = where === '' ? `${URL_VARIABLE}=… ` : ''
  return `${variable}countersign mcp sign-in${where}${homeFlag(home)}`
}

/**
 * The workspace of a server. Desktop clients start servers in `/` or in the home folder, neither of which may be a workspace;
 * an empty folder is used then, so that nothing counts as inside. A folder named by the person is used, or refused.
 */
export function serverWorkspace(named: string | undefined, cwd: string): string {
  if (named !== undefined) return openWorkspace(named)
  try {
    return openWorkspace(cwd)
  } catch (error) {
    const home = accountHome()
    if (!(error instanceof CountersignError) || error.code !== 'CS_WORKSPACE' || home === undefined) throw error
    const empty = join(home, '.cache', 'countersign', 'no-workspace')
    openOwnFolder(empty, 'CS_WORKSPACE')
    return openWorkspace(empty)
  }
}

/** Appends the proxy's own journal entries in order; a failed write is reported on stderr. */
function openRecord({ ports }: OpenedGate, io: Io) {
  let last: Promise<void> = Promise.resolve()
  return {
    record(entry: EntryBody): void {
      last = last
        .then(async () => {
          await ports.store.commit({ entries: [draftEntry(entry, ports.clock.now(), ports.crypto)], durable: false })
        })
        .catch(() => say(io, 'countersign: a journal entry could not be written; check the disk [CS_STORE_WRITE]'))
    },
    settled: () => last,
  }
}

function noteEntry(note: CatalogueNote, server: string): EntryBody {
  const { kind, ...rest } = note
  const details = rest as unknown as JsonObject
  if (kind === 'pinned' || kind === 'quarantined') return { ...details, kind: `tool-${kind}`, call: null, server }
  return { ...details, about: kind, kind: 'tool-reported', call: null, server }
}
