import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import {
  draftEntry,
  type EntryBody,
  formatProblem,
  type Gate,
  type Json,
  type JsonObject,
  markOf,
  safeText,
} from '@countersign/core'
import {
  type Catalogue,
  type CatalogueNote,
  type CatalogueOptions,
  compileDenied,
  createCatalogue,
  createGatekeeper,
  type Gatekeeper,
  type HoldOptions,
  meetServer,
  openAddressLink,
  openChildLink,
  openUpstream,
  type ServerLink,
  serverIdentity,
  startRelay,
} from '@countersign/mcp'
import { type OpenedGate, openGate } from '@countersign/node'
import { homeFlag } from '../../home/inbox-address.ts'
import { INSIDE } from '../../home/nested-call-guard.ts'
import { type Io, say } from '../../terminal/io.ts'
import { serverBearer } from './bearer-token.ts'
import { clientOutput, personOutput } from './client-streams.ts'
import { heldPointer } from './held-call-link.ts'
import { tellQuarantined } from './quarantine-notice.ts'
import { serverWorkspace } from './workspace.ts'

/** Where a server is: a command that starts it, or an address with the headers it wants. */
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
  /** Whether the client's own person is shown where a call is held. */
  readonly elicit: 'off' | 'show'
}

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export const MOST_LINE_BYTES = 64 * 1024 * 1024

/** What every client of one server is judged with. */
export interface Backing {
  /** The world, in which nobody waits for those who read stderr. */
  readonly io: Io
  /** Where the server's own stderr goes; undefined: to ours. */
  readonly serverWords: Writable | undefined
  readonly opened: OpenedGate
  /** The tools of the server as one client is told of them. */
  newCatalogue(): Catalogue
  /** A gatekeeper for one client, on a session of its own. */
  gatekeeper(gate: Gate, catalogue: Catalogue): Gatekeeper
}

/** Opens the gate for a server, for as long as the work takes. */
export async function withBacking(
  options: ServeOptions,
  given: Io,
  work: (backing: Backing) => Promise<void>,
): Promise<void> {
  const words = personOutput(given)
  const io: Io = { ...given, stderr: words.stderr }
  try {
    await withGate(options, io, (backing) => work({ ...backing, io, serverWords: words.server }))
  } finally {
    await words.close()
  }
}

async function withGate(
  options: ServeOptions,
  io: Io,
  work: (backing: Omit<Backing, 'io' | 'serverWords'>) => Promise<void>,
): Promise<void> {
  const home = io.home === undefined ? {} : { home: resolve(io.cwd, io.home) }
  const opened = await openGate({ tier: 'T1', workspace: serverWorkspace(options.workspace, io.cwd), ...home })
  const journal = openRecord(opened, io)
  try {
    tellProblems(opened, io)
    const { server } = options
    const address = 'url' in server ? { url: server.url } : { command: [server.command, ...server.args] }
    const tellNote = tellQuarantined(options.label, opened.home, io)
    const about: CatalogueOptions = {
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
    const met = meetServer(about)
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
        ...(options.elicit === 'show' ? { showHeld: (callId) => heldPointer(callId, opened) } : {}),
      })
    await work({ opened, newCatalogue: () => createCatalogue(about, met), gatekeeper })
  } finally {
    await journal.settled()
    await opened.gate.close()
  }
}

/** Runs a server behind the gate for the client on stdin and stdout, until one of them goes. */
export function relayServer(options: ServeOptions, given: Io): Promise<void> {
  return withBacking(options, given, async (backing) => {
    const { io, opened } = backing
    const catalogue = backing.newCatalogue()
    const gatekeeper = backing.gatekeeper(opened.gate, catalogue)
    const relay = startRelay({
      input: io.stdin,
      output: clientOutput(io),
      link: linkTo(options, backing, catalogue),
      gatekeeper,
      mostLineBytes: MOST_LINE_BYTES,
    })
    for (const signal of SIGNALS) process.on(signal, relay.stop)
    const end = await relay.done
    for (const signal of SIGNALS) process.off(signal, relay.stop)
    await gatekeeper.close()
    if (end.by === 'server') {
      say(io, `countersign: ${safeText(end.why)}`)
      io.exit(end.exitCode ?? 1)
    }
  })
}

function linkTo({ server, label }: ServeOptions, backing: Backing, catalogue: Catalogue): ServerLink {
  const { io, serverWords } = backing
  if ('url' in server) {
    const upstream = openUpstream(server.url, server.headers, serverBearer(server.url, backing))
    return openAddressLink({ upstream, mostMessageBytes: MOST_LINE_BYTES, definitionOf: definitionsOf(catalogue) })
  }
  return openChildLink({
    ...server,
    cwd: io.cwd,
    env: { ...io.env, [INSIDE]: `mcp ${label}` },
    mostLineBytes: MOST_LINE_BYTES,
    ...(serverWords === undefined ? {} : { words: serverWords }),
  })
}

/** Tools as a person accepted them. */
export function definitionsOf(catalogue: Catalogue): (tool: string) => Json | null {
  return (tool) => {
    const standing = catalogue.find(tool)
    return standing.kind === 'accepted' ? standing.tool.definition : null
  }
}

/** Writes entries of the proxy itself, one after another; what cannot be written is said. */
function openRecord({ ports }: OpenedGate, io: Io) {
  let last: Promise<void> = Promise.resolve()
  return {
    record(entry: EntryBody): void {
      last = last
        .then(async () => {
          await ports.store.commit({ entries: [draftEntry(entry, ports.clock.now(), ports.crypto)], durable: false })
        })
        .catch(() =>
          say(io, 'countersign: an entry of the journal could not be written; check the disk [CS_STORE_WRITE]'),
        )
    },
    settled: () => last,
  }
}

function noteEntry(note: CatalogueNote, server: string): EntryBody {
  const { kind, ...about } = note
  const said = about as unknown as JsonObject
  if (kind === 'pinned' || kind === 'quarantined') return { ...said, kind: `tool-${kind}`, call: null, server }
  return { ...said, about: kind, kind: 'tool-reported', call: null, server }
}

function tellProblems({ gate }: OpenedGate, io: Io): void {
  for (const problem of gate.policyProblems().slice(0, 3))
    say(
      io,
      `countersign: ${safeText(formatProblem(problem))}; everything is held until it is mended [CS_POLICY_INVALID]`,
    )
  if (gate.preset() === 'classic')
    say(io, 'countersign: preset classic: nothing is held, everything is recorded; set another preset to be asked')
}

/** For the log of the client: stderr is where it keeps what a server says. */
async function tellHeld(callId: string, opened: OpenedGate, io: Io): Promise<void> {
  const row = await opened.ports.store.call(callId).catch(() => undefined)
  if (row?.state !== 'held' || row.requestDigest === null) return
  tellProblems(opened, io)
  const mark = safeText(markOf({ requestDigest: row.requestDigest }))
  const how = `\`countersign approve ${mark}${homeFlag(opened.home)}\` or \`reject\``
  say(io, `countersign: ${safeText(row.tool)} is held as ${mark}: decide with ${how}`)
}
